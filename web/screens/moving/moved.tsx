import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { CatalogueField } from '../../../src/doors/app/documents.ts'
import { moving } from '../../../src/words/en/moving.ts'
import { bundleOf } from '../../look/names.ts'
import { type LocalRecordType, typeOnTheWire } from '../../store/record.ts'
import type { Answer } from '../../sync/request.ts'
import { say } from '../../words/say.ts'
import { administer, administerWith } from '../owner/administer.ts'
import { refusalText } from '../owner/owner-page.tsx'
import { ShareLink } from '../owner/share-link.tsx'
import { fieldValue } from '../record/facts.tsx'

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
    readonly type: string
    readonly name: string
    readonly sentence: string
    readonly sides: readonly Difference[]
  }[]
  readonly accounts: readonly MovedAccount[]
}

interface Difference {
  readonly field: string
  readonly there: unknown
  readonly here: unknown
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
  const { counts, logged_in: isLoggedIn } = move
  return (
    <>
      <h2>{say('moving.moved')}</h2>
      {counts !== null && <p role="status">{say('moving.counts', counts)}</p>}
      <Questions move={move} run={run} />
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

/** Records that a person decides about, with the fields that differ. */
export function Questions({ move: { questions, logged_in: isLoggedIn }, run }: RunProps): JSX.Element {
  return (
    <>
      {questions.length > 0 && <h3>{say('moving.questions')}</h3>}
      {questions.map(({ record, type, name, sentence, sides }) => (
        <div class="card" key={record}>
          <p>
            <b>{name || record}</b>: {questionText(sentence)}
          </p>
          {sides.map((side) => (
            <Sides key={side.field} field={fieldOf(record, type, side.field)} side={side} />
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
    </>
  )
}

/** In the catalogue; undefined if it is not there. */
function fieldOf(record: string, bundle: string, field: string): CatalogueField | undefined {
  const [type = ''] = record.split(' ')
  return isLocalType(type) ? bundleOf({ type, bundle })?.fields?.[field] : undefined
}

const isLocalType = (type: string): type is LocalRecordType => type in typeOnTheWire

function Sides({
  field,
  side,
}: {
  readonly field: CatalogueField | undefined
  readonly side: Difference
}): JSX.Element {
  return (
    <div class="small">
      <b>{field?.label ?? side.field}</b>
      {(['there', 'here'] as const).map((where) => (
        <div key={where}>
          {say(where === 'there' ? 'moving.theirs' : 'moving.ours')}: {sideWords(side[where], field) ?? '–'}
        </div>
      ))}
    </div>
  )
}

/** Files are counted: those over there have no address here. */
function sideWords(value: unknown, field: CatalogueField | undefined): ComponentChildren {
  if (field?.kind === 'attachment') return Array.isArray(value) ? value.length : null
  if (field !== undefined) return fieldValue(value, field)
  return value === null ? null : JSON.stringify(value)
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
  if (/records of this farm refer/.test(sentence)) return say('moving.referred-to')
  return /refers to what was removed here/.test(sentence) ? say('moving.refers') : sentence
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
    <section>
      <h2>{say('moving.people')}</h2>
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
    </section>
  )
}
