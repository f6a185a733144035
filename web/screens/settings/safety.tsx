import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Failed } from '../../look/failure.tsx'
import { memory } from '../../store/memory.ts'
import { downloadFile } from '../../sync/export-outbox.ts'
import type { Answer } from '../../sync/request.ts'
import { bytes, now } from '../../words/format.ts'
import { say } from '../../words/say.ts'
import { administer, confirmPassword } from '../owner/administer.ts'
import { readSettings, type SettingsAnswer } from '../owner/farm-settings.ts'
import { PasswordField } from '../owner/owner-page.tsx'

const hour = 3600
const day = 24 * hour

/** State of backups and checks. */
export function Safety({ document }: { readonly document: SettingsAnswer }): JSX.Element {
  const last = document.last_backup === null ? null : Number(document.last_backup)
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
      <p class="small soft">{say('settings.version', { version: document.version })}</p>
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
          (answer.failure === null ? <DoctorFindings {...answer.body} /> : <Failed failure={answer} />)}
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

function DoctorFindings({ sound, findings }: Verdict): JSX.Element {
  return (
    <>
      <p>{say(verdicts[`${sound}`])}</p>
      {findings.length > 0 && (
        <details>
          <summary>{say('settings.doctor-details')}</summary>
          <pre class="small">{findings.join('\n')}</pre>
        </details>
      )}
    </>
  )
}

type State =
  | { readonly kind: 'idle' | 'making' }
  | { readonly kind: 'coming'; readonly done: number; readonly whole: number }
  | { readonly kind: 'done'; readonly size: number }
  | { readonly kind: 'failed'; readonly why: BackupFailure }

function Backup(): JSX.Element {
  const [password, setPassword] = useState('')
  const [state, setState] = useState<State>({ kind: 'idle' })
  const isBusy = state.kind === 'making' || state.kind === 'coming'
  const begin = async (event: Event) => {
    event.preventDefault()
    setState({ kind: 'making' })
    const outcome = await fetchBackup(password, (done, whole) => setState({ kind: 'coming', done, whole }))
    if ('failure' in outcome) return setState({ kind: 'failed', why: outcome.failure })
    setPassword('')
    downloadFile(outcome.file, outcome.name)
    setState({ kind: 'done', size: outcome.file.size })
    void readSettings()
  }
  return (
    <form class="setup" onSubmit={begin}>
      <PasswordField label={say('settings.backup-password')} value={password} onText={setPassword} />
      <p role="status">{wordsOf(state)}</p>
      {state.kind === 'coming' && (
        <progress value={state.done} max={state.whole} aria-label={say('settings.backup-do')} />
      )}
      <button type="submit" class="btn tall" disabled={password === '' || isBusy}>
        {say('settings.backup-do')}
      </button>
    </form>
  )
}

function wordsOf(state: State): string {
  switch (state.kind) {
    case 'idle':
      return ''
    case 'making':
      return say('settings.backup-making')
    case 'coming':
      return say('settings.backup-coming', { done: bytes(state.done), whole: bytes(state.whole) })
    case 'done':
      return say('settings.backup-done', { size: bytes(state.size) })
    case 'failed':
      return say(`settings.backup-${state.why}`)
  }
}

type BackupFailure = 'wrong' | 'running' | 'failed'

type BackupOutcome = { readonly file: Blob; readonly name: string } | { readonly failure: BackupFailure }

/** Confirms the password, requests a backup, and reports progress. */
async function fetchBackup(password: string, progress: (done: number, whole: number) => void): Promise<BackupOutcome> {
  const shown = await confirmPassword(password)
  if (shown !== 'right') return { failure: shown === 'wrong' ? 'wrong' : 'failed' }
  try {
    const answer = await fetch('/administer/backup', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrf-token': memory.me.peek()?.csrf_token ?? '' },
      body: JSON.stringify({ password }),
    })
    if (!answer.ok) return { failure: answer.status === 409 ? 'running' : 'failed' }
    const name = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? 'farm.tar.gz'
    const whole = Number(answer.headers.get('content-length'))
    const file = await counted(answer, (done) => progress(done, whole)).blob()
    return file.size === whole ? { file, name } : { failure: 'failed' }
  } catch {
    return { failure: 'failed' }
  }
}

/** Streams the body: the browser may keep a blob on disk, and a backup may be larger than memory. */
function counted({ body }: Response, tell: (done: number) => void): Response {
  let done = 0
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      done += chunk.length
      tell(done)
      controller.enqueue(chunk)
    },
  })
  return new Response(body?.pipeThrough(count))
}
