import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'
import { atEndOfFile } from './end-of-file.ts'

/** A real Chromium, closed at the end of the test file: the system's where FURROW_CHROMIUM names one, else the package's. */
export async function openBrowser(...more: readonly string[]): Promise<Browser> {
  const browser = await launch(more)
  atEndOfFile(() => browser.close())
  return browser
}

async function launch(more: readonly string[]): Promise<Browser> {
  const { FURROW_CHROMIUM: executablePath } = process.env
  if (executablePath !== undefined) return playwright.launch({ executablePath, args: ['--no-sandbox', ...more] })
  const folder = await unpackedChromium()
  return playwright.launch({
    executablePath: join(folder, 'chromium'),
    // In a single process it sometimes falls over its own end.
    args: [...chromium.args.filter((word) => word !== '--single-process'), ...more],
    env: {
      ...inherited(),
      HOME: folder,
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_PATH: join(folder, 'fonts'),
    },
  })
}

const inherited = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )

const unpack = "import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())"

/**
 * The package unpacks itself into the temporary folder and takes half a file of another run for a whole one: so it unpacks
 * into a folder of its own, which gets its name only when it is complete. The variable makes it unpack its libraries too.
 */
async function unpackedChromium(): Promise<string> {
  const folder = join(tmpdir(), 'furrow-chromium-147')
  if (existsSync(folder)) return folder
  const staging = await mkdtemp(`${folder}-`)
  const env = { ...inherited(), TMPDIR: staging, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' }
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', unpack], { env })
  try {
    await rename(staging, folder)
  } catch {
    // Another test file was quicker.
    await rm(staging, { recursive: true, force: true })
  }
  return folder
}
