import { type Browser, chromium } from 'playwright-core'
import { inject } from 'vitest'
import './browser-for-the-run.ts'
import { atEndOfFile } from './end-of-file.ts'

/**
 * What costs time in every window and is no part of a page: the popups of an address bar that nobody sees take a second of the
 * processor each. Chromium heeds only the last list, so it has those of Playwright's that matter here, too.
 */
const without = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'OptimizationHints', 'MediaRouter', 'NetworkTimeServiceQuerying'],
  ...['HttpsUpgrades', 'HttpsFirstBalancedModeAutoEnable', 'PaintHolding', 'ThirdPartyStoragePartitioning'],
]

/** A real Chromium, closed at the end of the test file. */
export async function openBrowser(...more: readonly string[]): Promise<Browser> {
  const found = inject('browser')
  if ('advice' in found) throw new Error(found.advice)
  const browser = await chromium.launch({
    executablePath: found.path,
    args: ['--no-sandbox', `--disable-features=${without.join()}`, ...more],
    env: { ...process.env, ...found.variables },
  })
  atEndOfFile(() => browser.close())
  return browser
}
