import { type ComponentChild, render } from 'preact'
import { titleOf } from '../screen/reports/paper/paper.tsx'
import { say } from '../screen/reports/say.ts'
import { timeZone } from '../words/locale.ts'
import { type Shared, SharedReport, Told } from './shared-report.tsx'

/** The key stands behind the #, which no browser sends. */
async function open(): Promise<void> {
  show(<Told>{say('reports.opening')}</Told>)
  const shared = await asked(location.hash.slice(1))
  if (typeof shared === 'string') return show(<Told>{say(`reports.${shared}`)}</Told>)
  const { report, farm } = shared.document
  timeZone.value = report.time_zone
  document.title = `${titleOf(report)} · ${farm}`
  show(<SharedReport shared={shared} />)
}

async function asked(key: string): Promise<Shared | 'not-there' | 'no-answer'> {
  try {
    const answer = await fetch('/shared-report.json', {
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
