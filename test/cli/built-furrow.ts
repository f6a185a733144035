import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { atEndOfFile } from '../harness/end-of-file.ts'
import { filesUnder, root } from '../house/tree.ts'

/** For tests that start many processes, on a machine that may be busy. */
export const timeout = 120_000

/** Below node_modules, so that the build finds its dependencies and nobody takes it for ours. */
const builds = join(root, 'node_modules/.cache/furrow-test-build')

/** Builds what is in src now, once for all test files: `dist` may be older, and others may be running it. */
async function build(): Promise<string> {
  const sources = filesUnder('src', /\.ts$/).toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const name = createHash('sha256').update(JSON.stringify(sources)).digest('hex').slice(0, 16)
  const place = join(builds, name)
  if (existsSync(place)) return place
  await mkdir(builds, { recursive: true })
  await sweepBuildsOfOtherDays()
  const making = await mkdtemp(join(builds, 'making-'))
  await copyFile(join(root, 'package.json'), join(making, 'package.json'))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const options = ['-p', 'tsconfig.build.json', '--outDir', join(making, 'dist')]
  await promisify(execFile)(process.execPath, [compiler, ...options], { cwd: root }).catch(({ stdout }) => {
    throw new Error(`What is in src does not compile:\n${stdout}`)
  })
  // Another test file may have finished the same build meanwhile; either is right.
  await rename(making, place).catch(() => rm(making, { recursive: true, force: true }))
  return place
}

async function sweepBuildsOfOtherDays(): Promise<void> {
  for (const name of await readdir(builds)) {
    const { mtimeMs } = await stat(join(builds, name))
    if (Date.now() - mtimeMs > 86_400_000) await rm(join(builds, name), { recursive: true, force: true })
  }
}

let built: Promise<string> | undefined

export async function builtMain(): Promise<string> {
  built ??= build()
  return join(await built, 'dist/main.js')
}

export interface Surroundings {
  readonly env?: Readonly<Record<string, string>>
  /** What the command reads from standard input. */
  readonly input?: string
}

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

function environment(added: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('FURROW_'))
  return { ...Object.fromEntries(inherited), ...added }
}

/** Runs one command of the built `furrow` to its end. */
export async function furrow(args: readonly string[], { env, input = '' }: Surroundings = {}): Promise<Outcome> {
  const child = spawn(process.execPath, [await builtMain(), ...args], { env: environment(env) })
  const texts = gather(child)
  child.stdin.end(input)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, ...texts }
}

export interface RunningServer {
  readonly address: string
  readonly pid: number
  output(): string
  /** Sends SIGTERM and answers the exit code. */
  stop(): Promise<number | null>
}

/** Starts `furrow serve` on a free port and waits until it listens; it is stopped at the end of the test file at the latest. */
export async function serve(args: readonly string[], { env }: Surroundings = {}): Promise<RunningServer> {
  const child = spawn(process.execPath, [await builtMain(), 'serve', ...args], {
    env: environment({ FURROW_PORT: '0', ...env }),
  })
  const texts = gather(child)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const stop = () => {
    child.kill('SIGTERM')
    return ended
  }
  atEndOfFile(async () => void (await stop()))
  const address = await new Promise<string>((resolve, reject) => {
    const look = () => {
      const [, found] = /listens at (http:\S+)/.exec(texts.stdout) ?? []
      if (found !== undefined) resolve(found)
    }
    child.stdout.on('data', look)
    void ended.then((code) => reject(new Error(`The server ended with ${code}: ${texts.stderr}`)))
  })
  return { address, pid: child.pid ?? 0, output: () => texts.stdout + texts.stderr, stop }
}

function gather(child: ReturnType<typeof spawn>): { stdout: string; stderr: string } {
  const texts = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    texts.stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    texts.stderr += text
  })
  return texts
}
