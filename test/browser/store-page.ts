import type { BrowserContext, Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { openBrowser } from '../harness/browser.ts'
import { atEndOfFile } from '../harness/end-of-file.ts'

const address = 'http://localhost:1/'

let bundled: Promise<string> | undefined
let browser: ReturnType<typeof openBrowser> | undefined

/** The store as one script, which a page runs without asking anybody for it. */
async function bundle(): Promise<string> {
  const store = await rolldown({
    input: 'test/app/store-in-a-page.ts',
    platform: 'browser',
    tsconfig: 'web/tsconfig.json',
    logLevel: 'warn',
  })
  const { output } = await store.generate({ format: 'iife' })
  await store.close()
  return output[0].code
}

/** A tab in which the store runs alone: no server, no app, but the browser's own database. */
export class StorePage {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  /** One of the verbs of `test/app/store-in-a-page.ts`. */
  async call<T = unknown>(verb: string, ...given: readonly unknown[]): Promise<T> {
    return (await this.page.evaluate(`store.${verb}(...${JSON.stringify(given)})`)) as T
  }
}

/** A device with a storage of its own, on which tabs are opened. */
export async function openStorage(): Promise<BrowserContext> {
  browser ??= openOnce()
  const context = await (await browser).newContext()
  atEndOfFile(() => context.close())
  await context.route('**', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }))
  return context
}

function openOnce() {
  atEndOfFile(() => {
    browser = undefined
  })
  return openBrowser()
}

export async function openTab(storage: BrowserContext): Promise<StorePage> {
  const page = await storage.newPage()
  await page.goto(address)
  bundled ??= bundle()
  await page.evaluate(await bundled)
  return new StorePage(page)
}

/** A tab with the copy of a farm open in it. */
export async function openStore(storage: BrowserContext, farm = 'farm'): Promise<StorePage> {
  const tab = await openTab(storage)
  await tab.call('open', farm)
  return tab
}
