import { type Browser, chromium } from 'playwright-core'
import { inject } from 'vitest'
import './browser-for-the-run.ts'
import { atEndOfFile } from './end-of-file.ts'

/** A real Chromium, closed at the end of the test file. */
export async function openBrowser(...more: readonly string[]): Promise<Browser> {
  const found = inject('browser')
  if ('advice' in found) throw new Error(found.advice)
  const browser = await chromium.launch({
    executablePath: found.path,
    args: ['--no-sandbox', ...more],
    env: { ...process.env, ...found.variables },
  })
  atEndOfFile(() => browser.close())
  return browser
}
