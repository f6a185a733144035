import { type Browser, chromium } from 'playwright-core'
import { atEndOfFile } from '../harness/end-of-file.ts'

/** A system's Chromium where FURROW_CHROMIUM names one, else the one that came with the packages. */
export async function openChromium(): Promise<Browser> {
  const executablePath = process.env.FURROW_CHROMIUM ?? (await packagedChromium())
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--no-zygote', '--disable-gpu'] })
  atEndOfFile(() => browser.close())
  return browser
}

/** The package unpacks the libraries that bare machines lack only where it believes to be on one of its own. */
async function packagedChromium(): Promise<string> {
  process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs22.x'
  const { default: packaged } = await import('@sparticuz/chromium')
  return packaged.executablePath()
}
