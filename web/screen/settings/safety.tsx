import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Failed } from '../../look/failure.tsx'
import type { Answer } from '../../sync/ask.ts'
import { now } from '../../words/format.ts'
import { administer } from '../owner/administer.ts'
import type { Told } from '../owner/farm-settings.ts'
import { Backup } from './backup.tsx'
import { say } from './say.ts'

const hour = 3600
const day = 24 * hour

/** Whether what is recorded here could be lost. */
export function Safety({ told }: { readonly told: Told }): JSX.Element {
  const last = told.last_backup === null ? null : Number(told.last_backup)
  const isOld = last !== null && now() - last > 7 * day
  return (
    <section class="words setup" aria-labelledby="safety">
      <h2 id="safety">{say('settings.safety')}</h2>
      <p>
        <b>{last === null ? say('settings.backup-none') : say('settings.backup-last', { when: ago(last) })}</b>
        {isOld && ` ${say('settings.backup-old')}`}
      </p>
      <Backup />
      <p>
        <a href="/docs/operating">{say('settings.backup-how')}</a>
      </p>
      <h2>{say('settings.doctor')}</h2>
      <Doctor />
      <p class="small soft">{say('settings.version', { version: told.version })}</p>
    </section>
  )
}

function ago(at: number): string {
  const hours = Math.floor((now() - at) / hour)
  if (hours < 1) return say('settings.ago.now')
  return hours < 48
    ? say('settings.ago.hours', { count: hours })
    : say('settings.ago.days', { count: Math.floor(hours / 24) })
}

/** `/administer/doctor.json` */
interface Verdict {
  readonly sound: boolean | null
  readonly findings: readonly string[]
}

const patience = 90_000

function Doctor(): JSX.Element {
  const [answer, setAnswer] = useState<Answer<Verdict> | 'looking' | null>(null)
  const look = async () => {
    setAnswer('looking')
    setAnswer(await administer<Verdict>('/administer/doctor.json', { patience }))
  }
  return (
    <>
      <div role="status">
        {answer === 'looking' && say('settings.doctor-looking')}
        {answer !== null &&
          answer !== 'looking' &&
          (answer.failure === null ? <Said {...answer.body} /> : <Failed failure={answer} />)}
      </div>
      <button type="button" class="btn tall" disabled={answer === 'looking'} onClick={look}>
        {say('settings.doctor-do')}
      </button>
    </>
  )
}

const verdicts = {
  true: 'settings.doctor-sound',
  false: 'settings.doctor-found',
  null: 'settings.doctor-unknown',
} as const

function Said({ sound, findings }: Verdict): JSX.Element {
  return (
    <>
      <p>{say(verdicts[`${sound}`])}</p>
      {findings.length > 0 && (
        <details>
          <summary>{findings[0]}</summary>
          <pre class="small">{findings.join('\n')}</pre>
        </details>
      )}
    </>
  )
}
