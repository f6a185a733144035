import { createWriteStream, rmSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { fileProblem } from '../../storage/backup/file-problem.ts'
import { withdrawnIfInterrupted } from '../../storage/backup/interruption.ts'
import { codeOf } from '../../storage/sql/error-code.ts'

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
    await pipeline(texts, process.stdout, { end: false })
  } catch (error) {
    if (codeOf(error) !== 'EPIPE') throw error
  }
}
