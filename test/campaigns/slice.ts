import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { builtMain } from '../cli/built-furrow.ts'
import { root } from '../house/tree.ts'

/** Runs a short piece of a campaign against the built server; answers how it ended and its last line. */
export async function slice(
  name: string,
  ...options: readonly string[]
): Promise<{ code: number | null; text: string }> {
  const build = dirname(await builtMain())
  const child = spawn(process.execPath, [join(root, `campaigns/${name}.mjs`), '--build', build, ...options])
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
    })
  }
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, text }
}
