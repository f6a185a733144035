import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Settings } from '../../config.ts'
import { programStart } from '../../shipped-folders.ts'

interface Ended {
  /** Null where it was cut off. */
  readonly code: number | null
  readonly output: string
  readonly complaint: string
}

/**
 * Runs a command of this program on the farm of this server, in a process of its own: what takes long keeps nobody here waiting, and can
 * be cut off.
 */
export function runOwnCommand(words: readonly string[], settings: Settings, until: AbortSignal): Promise<Ended> {
  const { data, database, modules } = settings
  const options = [...(database === null ? ['--data', data] : []), ...modules.flatMap((file) => ['--module', file])]
  const env = { ...process.env, FURROW_DATABASE: database ?? '', FURROW_MODULE: '' }
  const command = [fileURLToPath(programStart), ...words, ...options]
  return new Promise((resolve) => {
    const child = execFile(process.execPath, command, { env, signal: until }, (error, output, complaint) =>
      resolve({ code: error === null ? 0 : child.exitCode, output, complaint }),
    )
  })
}
