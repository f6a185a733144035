import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { moving } from '../../../src/words/en/moving.ts'
import { owner } from '../../../src/words/en/owner.ts'
import { record } from '../../../src/words/en/record.ts'
import { TextField } from '../../forms/text-field.tsx'
import { me } from '../../store/local-copy.ts'
import { type Answer, jsonHeaders, renewMe } from '../../sync/request.ts'
import { addWords, say } from '../../words/say.ts'
import { administer, administerWith } from '../owner/administer.ts'
import { AdminAnswer, OwnerPage, PasswordField, refusalText, useAdminAnswer } from '../owner/owner-page.tsx'
import { Arrived, type MoveDocument, Moved, Questions, type RunProps, Undo, VerdictPage } from './moved.tsx'

addWords(owner, moving, record)

const address = '/administer/move-in.json'

/** Moving in from another server: look, move, follow, switch, undo. */
export function Part(): JSX.Element {
  const move = useAdminAnswer<MoveDocument>(address)
  return (
    <OwnerPage title={say('moving.title')}>
      <AdminAnswer request={move}>{(body) => <Move move={body} again={move.again} />}</AdminAnswer>
    </OwnerPage>
  )
}

interface MoveProps {
  readonly move: MoveDocument
  readonly again: () => Promise<void>
}

const refreshMs = 1500

function Move({ move, again }: MoveProps): JSX.Element {
  const { status } = move
  const [fault, setFault] = useState('')
  const [isAnew, setAnew] = useState(false)
  const isWorking = status === 'running' || status === 'paused'
  useEffect(() => {
    if (!isWorking) return undefined
    const timer = setInterval(() => void again(), refreshMs)
    return () => clearInterval(timer)
  }, [isWorking])
  useEffect(() => void renewMe(), [status, move.recording])
  const told = async (asked: Promise<Answer<MoveDocument>>) => {
    const answer = await asked
    setFault(answer.failure === null ? '' : refusalText(answer))
    setAnew(false)
    await again()
  }
  const run = (what: string, more = {}) => told(administerWith(`/administer/move-in/run`, { what, ...more }))
  const parts = { move, run }
  return (
    <div class="words setup">
      {fault !== '' && <p role="alert">{fault}</p>}
      {isWorking && <Working {...parts} />}
      {me.value?.trial && <RecordingSwitch {...parts} />}
      {status === 'ready' && !isAnew && (
        <>
          <Outlook move={move} />
          <button type="button" class="btn main-do" onClick={() => run('move')}>
            {say('moving.start')}
          </button>
          <button type="button" class="btn" onClick={() => setAnew(true)}>
            {say('moving.other')}
          </button>
        </>
      )}
      {status === 'stopped' && <p role="status">{say('moving.stopped')}</p>}
      {status === 'stopped' && move.logged_in && (
        <button type="button" class="btn main-do" onClick={() => run(move.run ?? 'move')}>
          {say('moving.go-on')}
        </button>
      )}
      {status === 'stopped' && <Questions {...parts} />}
      {status === 'stopped' && me.value?.trial && <Undo run={run} />}
      {move.trouble !== null && <p role="alert">{move.trouble}</p>}
      {status === 'moved' && <Moved {...parts} />}
      {(status === 'switched' || status === 'undone') && <p role="status">{say(`moving.${status}`)}</p>}
      {status === 'switched' && <p>{say('moving.after')}</p>}
      {move.verdict !== null && <VerdictPage verdict={move.verdict} />}
      {(status === 'moved' || status === 'switched') && <Arrived accounts={move.accounts} />}
      {isLoginShown(move, isAnew) && <Login known={move.address} onLook={told} />}
    </div>
  )
}

/** Recording is off in a trial until a manager allows it. */
function RecordingSwitch({ move, run }: RunProps): JSX.Element {
  return (
    <label>
      <input
        type="checkbox"
        checked={move.recording}
        onChange={({ currentTarget }) => run(currentTarget.checked ? 'allow-recording' : 'stop-recording')}
      />{' '}
      {say('moving.recording')}
    </label>
  )
}

const isLoginShown = ({ status, logged_in }: MoveDocument, isAnew: boolean): boolean =>
  isAnew || status === 'none' || status === 'undone' || (!logged_in && ['ready', 'stopped', 'moved'].includes(status))

const patience = 150_000

interface LoginProps {
  readonly known: string
  readonly onLook: (asked: Promise<Answer<MoveDocument>>) => Promise<void>
}

function Login({ known, onLook }: LoginProps): JSX.Element {
  const [url, setUrl] = useState(known)
  const [user, setUser] = useState('')
  const [secret, setSecret] = useState('')
  const [isToken, setToken] = useState(false)
  const [isLooking, setLooking] = useState(false)
  const look = async (event: Event) => {
    event.preventDefault()
    setLooking(true)
    const whole = /^https?:/i.test(url.trim()) ? url.trim() : `https://${url.trim()}`
    const body = JSON.stringify({ address: whole, ...(isToken ? { token: secret } : { user, password: secret }) })
    setSecret('')
    await onLook(administer(address, { method: 'POST', body, headers: jsonHeaders, patience }))
    setLooking(false)
  }
  return (
    <form class="setup" onSubmit={look}>
      <p>{known === '' ? say('moving.about') : say('moving.log-in-again')}</p>
      <TextField label={say('moving.address')} value={url} onText={setUrl} />
      {!isToken && <TextField label={say('moving.user')} value={user} onText={setUser} />}
      <PasswordField label={say(isToken ? 'moving.token' : 'moving.password')} value={secret} onText={setSecret} />
      <p class="small soft">{say('moving.password-why')}</p>
      <label>
        <input type="checkbox" checked={isToken} onChange={({ currentTarget }) => setToken(currentTarget.checked)} />{' '}
        {say('moving.by-token')}
      </label>
      <p role="status">{isLooking && say('moving.looking')}</p>
      <button type="submit" class="btn tall" disabled={isLooking || url === '' || secret === ''}>
        {say('moving.look')}
      </button>
    </form>
  )
}

const minutesOf = (seconds: number): number => Math.max(1, Math.ceil(seconds / 60))

function Outlook({ move: { address: where, outlook } }: Pick<MoveProps, 'move'>): JSX.Element | null {
  if (outlook === null) return null
  const { pages, seconds, unknown, others, without_private_files: isWithoutFiles } = outlook
  return (
    <>
      <h2>{where}</h2>
      <p>{say('moving.pages', { count: pages, minutes: minutesOf(seconds) })}</p>
      <p>{say('moving.not-moved')}</p>
      {others.length > 0 && <p>{say('moving.others', { types: others.join(', ') })}</p>}
      {unknown.length > 0 && <p>{say('moving.unknown', { types: unknown.join(', ') })}</p>}
      {isWithoutFiles && <p>{say('moving.no-files')}</p>}
    </>
  )
}

function Working({ move: { status, progress, outlook }, run }: RunProps): JSX.Element {
  const all = Math.max(outlook?.pages ?? 0, progress?.pages ?? 0)
  const isPaused = status === 'paused'
  const left =
    progress === null || progress.pages < 5 ? 0 : (progress.seconds * (all - progress.pages)) / progress.pages
  return (
    <>
      <h2>{say(isPaused ? 'moving.paused' : `moving.phase.${progress?.phase ?? 'begin'}`)}</h2>
      <progress
        aria-label={say('moving.title')}
        {...(progress === null ? {} : { value: progress.done, max: progress.total })}
        {...(progress?.total === 0 ? { value: progress.pages, max: all } : {})}
      />
      {progress !== null && <p>{say('moving.read-pages', { pages: progress.pages, all })}</p>}
      {left > 0 && !isPaused && <p>{say('moving.left', { count: minutesOf(left) })}</p>}
      {!isPaused && <p class="small soft">{say('moving.leave')}</p>}
      <p class="options">
        <button type="button" class="btn" onClick={() => run(isPaused ? 'go-on' : 'pause')}>
          {say(isPaused ? 'moving.go-on' : 'moving.pause')}
        </button>
        <button type="button" class="btn plain" onClick={() => run('end')}>
          {say('moving.end')}
        </button>
      </p>
    </>
  )
}
