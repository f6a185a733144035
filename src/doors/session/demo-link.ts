import type { Installation } from '../../access/installation.ts'
import { countMatches } from '../../storage/records/finding.ts'
import type { PageWords } from '../../words/page-words.ts'
import { type Html, html } from '../http/html.ts'

/** For whoever would rather see a farm at work first: nothing is sent and nothing is kept here. */
export const demoLink = ({ say }: PageWords): Html => html`
<h2>${say('demo.title')}</h2>
<p><a href="/app/?demo=1">${say('demo.open')}</a></p>
<p class="soft">${say('demo.about')}</p>`

/** A farm where something is recorded shows itself. */
export async function isToShow({ database, settings }: Installation): Promise<boolean> {
  if (!settings.app) return false
  return database.read(async (snapshot) => {
    const counts = await Promise.all(
      (['log', 'asset'] as const).map((type) => countMatches(snapshot, { type, conditions: [], order: [] })),
    )
    return counts.every((count) => count === 0)
  })
}
