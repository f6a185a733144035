import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { build } from '../../bench/build.mjs'
import { atEndOfFile } from '../harness/end-of-file.ts'

let built: Promise<string> | undefined

export async function builtMain(): Promise<string> {
  built ??= build()
  return join(await built, 'main.cjs')
}

export interface Surroundings {
  readonly env?: Readonly<Record<string, string>>
  /** What the command reads from standard input. */
  readonly input?: string
  /** Another program than the one that is built from this source. */
  readonly main?: string
}

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs one command of the built `furrow` to its end. */
export async function furrow(args: readonly string[], { env, input = '', main }: Surroundings = {}): Promise<Outcome> {
  const child = spawn(process.execPath, [main ?? (await builtMain()), ...args], { env: { ...process.env, ...env } })
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
export async function serve(args: readonly string[], { env, main }: Surroundings = {}): Promise<RunningServer> {
  const child = spawn(process.execPath, [main ?? (await builtMain()), 'serve', ...args], {
    env: { ...process.env, FURROW_PORT: '0', ...env },
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
