import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'
import { crc32 } from 'node:zlib'

/** The whole program in one file, which the build puts here. */
export const programFile: string = fileURLToPath(new URL('./program.cjs', import.meta.url))

const parameters = ['exports', 'require', 'module', '__filename', '__dirname']

/**
 * Compiling the program takes V8 longer than running it until it listens. So what V8 made of it when it was built is kept
 * beside it. V8 itself refuses only what was made with other options. It takes any program of the same length for the same,
 * what was damaged for sound, and what a V8 with other patches made for its own, and then falls: the sum at the end tells these.
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

/** Keeps what V8 has compiled so far, for whoever starts Node with the options that this process was started with. */
export function keepCompiled(script: Script): void {
  const data = script.createCachedData()
  const sum = Buffer.alloc(4)
  sum.writeUInt32LE(sumOf(readFileSync(programFile), data))
  writeFileSync(keptFile(), Buffer.concat([data, sum]))
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
