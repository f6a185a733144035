import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { moving } from '../../../src/words/en/moving.ts'
import { Section } from '../../look/list.tsx'
import type { Answer } from '../../sync/request.ts'
import { say } from '../../words/say.ts'
import { administer, administerWith } from '../owner/administer.ts'
import { refusalText } from '../owner/owner-page.tsx'
import { ShareLink } from '../owner/share-link.tsx'

/** `/administer/move-in.json` */
export interface MoveDocument {
  readonly status: 'none' | 'ready' | 'running' | 'paused' | 'stopped' | 'moved' | 'switched' | 'undone'
  readonly address: string
  readonly logged_in: boolean
  readonly recording: boolean
  readonly run: 'move' | 'follow' | 'last' | 'undo' | null
  readonly outlook: {
    readonly pages: number
    readonly seconds: number
    readonly unknown: readonly string[]
    readonly others: readonly string[]
    readonly without_private_files: boolean
  } | null
  readonly progress: {
    readonly phase: 'read' | 'files' | 'write' | 'compare' | 'remove'
    readonly done: number
    readonly total: number
    readonly pages: number
    readonly seconds: number
  } | null
  readonly trouble: string | null
  readonly counts: { readonly created: number; readonly updated: number; readonly removed: number } | null
  readonly verdict: {
    readonly lost: number
    readonly changed: number
    readonly groups: readonly FindingGroup[]
  } | null
  readonly questions: readonly {
    readonly record: string
    readonly name: string
    readonly sentence: string
    readonly sides: readonly string[]
  }[]
  readonly accounts: readonly MovedAccount[]
}

interface FindingGroup {
  readonly kind: string
  readonly cause: string
  readonly count: number
  readonly examples: readonly string[]
}

interface MovedAccount {
  readonly id: string
  readonly name: string
  readonly role: string | null
  readonly blocked: boolean
  readonly can_be_invited: boolean
}

export interface RunProps {
  readonly move: MoveDocument
  readonly run: (what: string, more?: object) => Promise<void>
}

/** After the move: questions, following, the switch, and undo. */
export function Moved({ move, run }: RunProps): JSX.Element {
  const { counts, questions, logged_in: isLoggedIn } = move
  return (
    <>
      <h2>{say('moving.moved')}</h2>
      {counts !== null && <p role="status">{say('moving.counts', counts)}</p>}
      {questions.length > 0 && <h3>{say('moving.questions')}</h3>}
      {questions.map(({ record, name, sentence, sides }) => (
        <div class="card" key={record}>
          <p>
            <b>{name || record}</b>: {questionText(sentence)}
          </p>
          {sides.map((side) => (
            <p class="small" key={side}>
              {side}
            </p>
          ))}
          <p class="options">
            {(['theirs', 'ours'] as const).map((side) => (
              <button
                key={side}
                type="button"
                class="btn"
                disabled={!isLoggedIn}
                onClick={() => run('follow', { [side]: [record] })}
              >
                {say(`moving.${side}`)}
              </button>
            ))}
          </p>
        </div>
      ))}
      {isLoggedIn && <h3>{say('moving.next')}</h3>}
      {isLoggedIn &&
        (['follow', 'last'] as const).map((what) => (
          <button key={what} type="button" class="btn tall" onClick={() => run(what)}>
            {say(`moving.${what}`)}
          </button>
        ))}
      <Undo run={run} />
    </>
  )
}

/** Recording is off in a trial until a manager allows it. */
export function RecordingSwitch({ move, run }: RunProps): JSX.Element {
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

interface RecordedSince {
  readonly own: number
  readonly changed: number
  readonly untouched: number
}

export function Undo({ run }: Pick<RunProps, 'run'>): JSX.Element {
  const [since, setSince] = useState<Answer<RecordedSince> | null>(null)
  const ask = async () => setSince(await administer<RecordedSince>('/administer/move-in/since.json'))
  if (since === null)
    return (
      <button type="button" class="btn plain" onClick={ask}>
        {say('moving.undo')}
      </button>
    )
  if (since.failure !== null) return <p role="alert">{refusalText(since)}</p>
  return (
    <div class="card">
      <p role="status">{say('moving.undo-sure', { ...since.body })}</p>
      <button type="button" class="btn" onClick={() => run('undo')}>
        {say('moving.undo-do')}
      </button>
      <button type="button" class="btn plain" onClick={() => setSince(null)}>
        {say('moving.undo-not')}
      </button>
    </div>
  )
}

type Cause = Extract<keyof typeof moving, `moving.cause.${string}`>

/** The words for a cause, or the server's. */
function causeText(cause: string): string {
  const key = `moving.cause.${cause.replaceAll(' ', '-')}`
  return key in moving ? say(key as Cause) : cause
}

/** The words for why somebody is asked, or the server's. */
function questionText(sentence: string): string {
  if (/^was changed on both/.test(sentence)) return say('moving.both')
  if (/removed here\.$/.test(sentence)) return say('moving.removed-here')
  if (/changed here\.$/.test(sentence)) return say('moving.removed-there')
  return /records of this farm refer/.test(sentence) ? say('moving.referred-to') : sentence
}

/** The last comparison of both sides. */
export function VerdictPage({ verdict }: { readonly verdict: NonNullable<MoveDocument['verdict']> }): JSX.Element {
  const { lost, changed, groups } = verdict
  return (
    <section>
      <h2>{say('moving.verdict')}</h2>
      <p role="status">
        {lost + changed === 0
          ? say('moving.equal')
          : [
              lost > 0 ? say('moving.lost', { count: lost }) : '',
              changed > 0 ? say('moving.changed', { count: changed }) : '',
            ]
              .filter(Boolean)
              .join('. ')}
      </p>
      {groups.map(({ kind, cause, count, examples }) => (
        <details key={`${kind} ${cause}`}>
          <summary>
            {causeText(cause)}: {count}
          </summary>
          {examples.map((example) => (
            <p class="small" key={example}>
              {example}
            </p>
          ))}
        </details>
      ))}
      {groups.length > 0 && (
        <p>
          <a href="/administer/move-in/report.txt" target="_blank" rel="noreferrer">
            {say('moving.report')}
          </a>
        </p>
      )}
    </section>
  )
}

interface Invitation {
  readonly id: string
  readonly link: string
}

/** Accounts that came along, with a link for each to hand over. */
export function Arrived({ accounts }: Pick<MoveDocument, 'accounts'>): JSX.Element | null {
  const [answer, setAnswer] = useState<Answer<{ readonly invitations: readonly Invitation[] }> | null>(null)
  const waiting = accounts.filter((account) => account.blocked && account.can_be_invited)
  if (waiting.length === 0 && answer === null) return null
  const invite = async () => {
    const people = waiting.map(({ id }) => ({ id, role: 'worker' }))
    setAnswer(await administerWith('/administer/move-in/invitations.json', { people }))
  }
  const links = answer?.failure === null ? answer.body.invitations : []
  return (
    <Section title={say('moving.people')}>
      <li class="words">
        <p>{say('moving.people-about')}</p>
        {answer !== null && answer.failure !== null && <p role="alert">{refusalText(answer)}</p>}
        {links.length === 0 && <p>{waiting.map(({ name }) => name).join(', ')}</p>}
        {links.map(({ id, link }) => {
          const name = accounts.find((account) => account.id === id)?.name ?? ''
          return (
            <details key={id}>
              <summary>{say('moving.link-of', { name })}</summary>
              <ShareLink link={link} label={say('moving.link-of', { name })} />
            </details>
          )
        })}
        {links.length === 0 && (
          <button type="button" class="btn tall" onClick={invite}>
            {say('moving.invite-all')}
          </button>
        )}
      </li>
    </Section>
  )
}
