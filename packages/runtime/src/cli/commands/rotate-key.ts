import type { Command } from '../command.js';

export const rotateKey: Command = {
  name: 'rotate-key',
  summary:
    "seal anew, with the first of the host's keys, what another one sealed or what stands in the clear",
  positionals: [],
  options: {},
  async run({ runtime, printer }) {
    const resealed = await (await runtime()).operations.rotateKeys();
    printer.json({ resealed });
    printer.line(
      resealed === 0
        ? 'Everything is sealed with the first key.'
        : `${String(resealed)} steps are sealed anew. Older keys can go once no worker that seals with them runs.`,
    );
  },
};
