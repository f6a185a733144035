// Starts the built program on a temporary farm, and stores the code that V8 compiled for it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { freePort } from './free-port.mjs'

const [, , dist = ''] = process.argv
/** @type {typeof import('../src/compiled-program.ts')} */
const { compileProgram, keepCompiled, runProgram } = await import(pathToFileURL(join(dist, 'compiled-program.js')).href)

const port = await freePort()
const data = mkdtempSync(join(tmpdir(), 'furrow-build-'))
process.once('exit', () => rmSync(data, { recursive: true, force: true }))
process.argv.splice(2, process.argv.length, 'serve', '--data', data, '--port', String(port))
const program = compileProgram()
runProgram(program)
await answer()
keepCompiled(program)
process.exit(0)

async function answer() {
  for (const until = Date.now() + 30_000; ; ) {
    try {
      return await fetch(`http://127.0.0.1:${port}/farm.json`)
    } catch (error) {
      if (Date.now() > until) throw error
      await pause(20)
    }
  }
}
