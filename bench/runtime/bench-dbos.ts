import { DBOS } from '@dbos-inc/dbos-sdk';
import { expectSame, measure, type ServerCpu, type Side } from './measure.js';

const STEPS = 3;
/** As long as an answer of a tool is. */
const CONTENT = 'Created the page "News" below "Home". '.repeat(5);

/** The same three steps as a workflow of the peer, on the same server. */
export async function openDbosSide(url: string, atOnce: number, serverCpu: ServerCpu): Promise<Side> {
  DBOS.setConfig({
    name: 'toolwright-bench',
    systemDatabaseUrl: url.replace(/\/postgres$/, '/dbos'),
    systemDatabasePoolSize: atOnce,
    logLevel: 'error',
  });
  let effects = 0;
  let done = 0;
  const step = (): Promise<string> => {
    effects += 1;
    return Promise.resolve(CONTENT);
  };
  const workflow = DBOS.registerWorkflow(
    async () => {
      for (let call = 0; call < STEPS; call += 1) {
        await DBOS.runStep(step, { name: `create_${call}` });
      }
      return 'Done.';
    },
    { name: 'three_steps' },
  );
  await DBOS.launch();
  return {
    async round(runs) {
      const ids = Array.from({ length: runs }, (_, index) => `run-${done + index}`);
      const drive = async (workflowID: string): Promise<void> => {
        const handle = await DBOS.startWorkflow(workflow, { workflowID })();
        expectSame('The answer of a workflow', await handle.getResult(), 'Done.');
      };
      const measured = await measure(ids, atOnce, drive, serverCpu);
      done += runs;
      return measured;
    },
    async close() {
      const stored = await DBOS.listWorkflows({ status: 'SUCCESS', limit: done + 1 });
      expectSame('Workflows that succeeded', stored.length, done);
      expectSame('Effects', effects, done * STEPS);
      expectSame(
        'Steps of the last workflow',
        (await DBOS.listWorkflowSteps(`run-${done - 1}`))?.length,
        STEPS,
      );
      await DBOS.shutdown();
    },
  };
}
