import { execFile } from 'node:child_process'
import { chmod, readdir, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/** What comes as machine code for one platform stays where it was installed. */
const native = [/^@photostructure\/sqlite/, /^@node-rs\/argon2/, 'pg-native']

/** What Fastify fetches only where it is asked to judge by schemas, to write its own log or to play a request: never here. */
const unasked = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'pino', 'light-my-request']

/**
 * Compiles what is in src into a folder, file by file, and then writes the program, `main.js`, over the file of that name:
 * the same code and all it needs in a few files, because loading a thousand small ones takes longer than all the rest of a
 * start. The other files say the types, and are what a module of a farm and our own tools import.
 * @param {string} dist
 */
export async function makeProgram(dist) {
  await compile(dist)
  await sweepProgram(dist)
  await bundle(dist)
  await chmod(join(dist, 'main.js'), 0o755)
}

/** @param {string} dist */
async function compile(dist) {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const options = ['-p', 'tsconfig.build.json', '--outDir', dist]
  await promisify(execFile)(process.execPath, [compiler, ...options], { cwd: root }).catch(({ stdout }) => {
    throw new Error(`What is in src does not compile:\n${stdout}`)
  })
}

/** Chunks are named after what is in them, so that those of an earlier build would stay for ever. @param {string} dist */
async function sweepProgram(dist) {
  const chunks = (await readdir(dist)).filter((name) => /^main-.*\.js(\.map)?$/.test(name))
  await Promise.all(chunks.map((name) => rm(join(dist, name))))
}

/** @param {string} dist */
async function bundle(dist) {
  const program = await rolldown({
    // The painter is a thread of its own, whose file lies beside the one that starts it.
    input: {
      main: join(root, 'src/main.ts'),
      'progress-painter': join(root, 'src/cli/operation/progress-painter.ts'),
    },
    cwd: root,
    platform: 'node',
    external: [...native, ...unasked],
    logLevel: 'warn',
  })
  // Not minified: a stack trace is for people to read. `node --enable-source-maps` shows the lines of src.
  await program.write({ dir: dist, format: 'esm', sourcemap: true, chunkFileNames: 'main-[name]-[hash].js' })
  await program.close()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await makeProgram(resolve(process.argv[2] ?? 'dist'))
