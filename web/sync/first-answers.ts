import { askEarly } from './early.ts'
import { keptDays, keptSince } from './kept-window.ts'
import { pathOfPage } from './pages.ts'
import { walks } from './walks.ts'

export const cataloguePath = '/catalogue.json'

/** Where the feed stands. */
export const cursorPath = '/changes'

/** One answer of each of these, and Today has what it shows. */
export const firstWalks = ['pending', 'recent', 'assets', 'terms'] as const

/**
 * A device without a copy needs all of this: it is asked for while the server says who is there, and while the database opens. The
 * cursor before the records: what changes meanwhile comes with the feed.
 */
export async function askForFirstLoad(): Promise<void> {
  void askEarly(cataloguePath)
  const { failure } = await askEarly(cursorPath)
  if (failure !== null) return
  for (const name of firstWalks) {
    const { path, firstLimit: limit, query } = walks[name]
    void askEarly(pathOfPage(path, query({ behind: null, since: keptSince(keptDays), limit }), limit))
  }
}
