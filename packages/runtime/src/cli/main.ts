import { runCommandLine } from './run-command-line.js';

// A reader that stops early (`| head`) is no failure of the command.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') {
    throw error;
  }
});

// The exit code is set, not forced, so that what was printed is written to its end.
process.exitCode = await runCommandLine(process.argv.slice(2), {
  cwd: process.cwd(),
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  columns: process.stdout.columns,
  now: () => new Date(),
  onStopSignal(stop) {
    // Once each: a second signal of the kind ends the process as it would have without this.
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
    return () => {
      process.off('SIGTERM', stop);
      process.off('SIGINT', stop);
    };
  },
});
