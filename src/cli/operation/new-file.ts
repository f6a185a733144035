import { createWriteStream, rmSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { fileProblem, withdrawnIfInterrupted } from '../../storage/backup/durable-files.ts'

import { codeOf } from '../../storage/sql/errors.ts'
import { printableLines } from '../terminal.ts'

/** Writes a file that is not there yet; what fails or is interrupted leaves none behind. */
export async function writeNewFile(path: string, texts: AsyncIterable<string>): Promise<void> {
  const withdraw = () => rmSync(path, { force: true })
  try {
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
    await new Promise((resolve, reject) => file.once('open', resolve).once('error', reject))
    await withdrawnIfInterrupted(withdraw, () => pipeline(texts, file)).catch((error) => {
      withdraw()
      throw error
    })
  } catch (error) {
    throw fileProblem(error, path)
  }
}

/** Writes to whoever reads what this program says; who has seen enough may go. */
export async function writeToOutput(texts: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(process.stdout.isTTY ? printed(texts) : texts, process.stdout, { end: false })
  } catch (error) {
    if (codeOf(error) !== 'EPIPE') throw error
  }
}

/** A pipe gets every byte, a terminal none that it would obey. */
async function* printed(texts: AsyncIterable<string>): AsyncIterable<string> {
  for await (const text of texts) yield printableLines(text)
}
