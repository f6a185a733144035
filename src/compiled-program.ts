import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'
import { crc32 } from 'node:zlib'

/** The bundled program, written by the build. */
export const programFile: string = fileURLToPath(new URL('./program.cjs', import.meta.url))

const parameters = ['exports', 'require', 'module', '__filename', '__dirname']

/**
 * V8 takes longer to compile the program than to run it until it listens, so the build stores its code cache. V8
 * rejects a cache made with other options, but accepts one of another program of the same length, a damaged one, or one
 * of a patched V8, and then crashes. The checksum at the end detects these.
 */
export function compileProgram(): Script {
  const source = readFileSync(programFile)
  const cachedData = keptFor(source)
  const options = cachedData === undefined ? {} : { cachedData }
  return new Script(`(function (${parameters.join()}) {${source}\n})`, { filename: programFile, ...options })
}

export function runProgram(script: Script): void {
  const module = { exports: {} }
  const program = script.runInThisContext() as (...given: unknown[]) => void
  program(module.exports, createRequire(programFile), module, programFile, dirname(programFile))
}

/** Stores V8's code cache, for processes with the same Node options. */
export function keepCompiled(script: Script): void {
  const data = script.createCachedData()
  const sum = Buffer.alloc(4)
  sum.writeUInt32LE(sumOf(readFileSync(programFile), data))
  const partial = `${keptFile()}.${process.pid}`
  writeFileSync(partial, Buffer.concat([data, sum]))
  renameSync(partial, keptFile())
}

/** By then everything a start needs is compiled. */
const afterStartMs = 5_000

/** Does so once the program has run for a while, where nothing is kept yet and its folder can be written. */
export function keepForNextStart(script: Script): void {
  if (existsSync(keptFile())) return
  setTimeout(() => {
    try {
      keepCompiled(script)
    } catch {
      // The folder is another user's: starts stay as slow as this one.
    }
  }, afterStartMs).unref()
}

function keptFor(source: Buffer): Buffer | undefined {
  try {
    const kept = readFileSync(keptFile())
    const data = kept.subarray(0, -4)
    return kept.readUInt32LE(data.length) === sumOf(source, data) ? data : undefined
  } catch {
    return undefined
  }
}

const maker = `${process.version} ${process.platform} ${process.arch}`

const sumOf = (source: Buffer, compiled: Buffer): number => crc32(compiled, crc32(source, crc32(maker)))

function keptFile(): string {
  const options = process.execArgv.filter((option) => /^--[\w-]+(=\d+)?$/.test(option))
  return programFile.replace(/\.cjs$/, `${options.join('')}.compiled`)
}
