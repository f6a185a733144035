import { runFurrow } from './cli/run-furrow.ts'

// A closed pipe must not stop the server.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {})

// Stays 1 unless the command completes and sets another code.
process.exitCode = 1

void runFurrow(process.argv.slice(2), process.env).then((code) => {
  process.exitCode = code
})
