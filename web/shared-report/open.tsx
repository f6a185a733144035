import { type ComponentChild, render } from 'preact'
import { reports } from '../../src/words/en/reports.ts'
import { titleOf } from '../screen/reports/paper/paper.tsx'
import { say } from '../screen/reports/say.ts'
import { locale, spoken, timeZone } from '../words/locale.ts'
import { chosen } from '../words/say.ts'
import { type Shared, SharedReport, Told } from './shared-report.tsx'

/** The key stands behind the #, which no browser sends. */
async function open(): Promise<void> {
  show(<Told>{say('reports.opening')}</Told>)
  const shared = await asked(location.hash.slice(1))
  if (typeof shared === 'string') return show(<Told>{say(`reports.${shared}`)}</Told>)
  const { report, farm } = shared.document
  timeZone.value = report.time_zone
  if (shared.words !== undefined) speak(shared.words)
  document.title = `${titleOf(report)} · ${farm}`
  show(<SharedReport shared={shared} />)
}

function speak({ language, direction, texts }: NonNullable<Shared['words']>): void {
  const [first = ''] = Object.keys(reports)
  chosen.value = { direction, texts: { [first]: texts }, labels: { types: {}, fields: {}, lists: {} } }
  locale.value = spoken(language, navigator.languages)
  Object.assign(document.documentElement, { lang: language, dir: direction })
}

async function asked(key: string): Promise<Shared | 'not-there' | 'no-answer'> {
  try {
    const answer = await fetch(`/shared-report.json${location.search}`, {
      method: 'POST',
      credentials: 'omit',
      cache: 'no-store',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ key }),
    })
    if (answer.status === 404) return 'not-there'
    return answer.ok ? ((await answer.json()) as Shared) : 'no-answer'
  } catch {
    return 'no-answer'
  }
}

function show(what: ComponentChild): void {
  const root = document.getElementById('report')
  if (root !== null) render(what, root)
}

addEventListener('hashchange', () => void open())
void open()
