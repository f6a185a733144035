// `npm test`: every test, and then once more, one file at a time, the files that failed beside all others.
// A browser or a process that a busy machine leaves waiting is no defect; what fails on a quiet machine is one.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const folder = mkdtempSync(join(tmpdir(), 'furrow-tests-'))
const failedFiles = join(folder, 'failed-files.json')

/** @param {readonly string[]} options @returns {Promise<number>} */
function vitest(...options) {
  const program = join(root, 'node_modules/vitest/vitest.mjs')
  const env = { ...process.env, FAILED_FILES: failedFiles }
  const run = spawn(process.execPath, [program, 'run', ...options], { cwd: root, env, stdio: 'inherit' })
  return new Promise((resolve) => run.once('exit', (code) => resolve(code ?? 1)))
}

/** @returns {{ files: string[], mayTryAgain: boolean }} */
function whatFailed() {
  try {
    return JSON.parse(readFileSync(failedFiles, 'utf8'))
  } catch {
    return { files: [], mayTryAgain: false }
  }
}

let code = await vitest(...process.argv.slice(2))
const { files, mayTryAgain } = whatFailed()
if (code !== 0 && mayTryAgain) {
  console.log(`\nFailed beside other tests, and run once more alone: ${files.join(', ')}\n`)
  code = await vitest('--project', 'rooms', '--maxWorkers', '1', ...files)
}
rmSync(folder, { recursive: true })
process.exit(code)
