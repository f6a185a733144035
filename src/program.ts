import { runFurrow } from './cli/run-furrow.ts'

// Whoever reads our output may go away; that is no reason to stop serving.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {})

// Unless the command comes to its end and says otherwise.
process.exitCode = 1

void runFurrow(process.argv.slice(2), process.env).then((code) => {
  process.exitCode = code
})
