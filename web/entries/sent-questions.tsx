import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { entry } from '../../src/words/en/entry.ts'
import { Link, pageOf } from '../look/link.tsx'
import { Row } from '../look/list.tsx'
import { shortList } from '../look/names.ts'
import { offerUndo, toastOnFailure } from '../look/undo.tsx'
import { useCopy } from '../look/use-logs.ts'
import { grouped } from '../store/grouped.ts'
import { assetBy, log as logBy, mayWrite, termBy } from '../store/local-copy.ts'
import { areasNamedIn, idsIn, type LocalRecord, partsIn, timeOf } from '../store/record.ts'
import { isTagOverdue, searchLogs, untaggedAnimals } from '../store/search.ts'
import { membersOf } from '../store/stays.ts'
import { save } from '../sync/save.ts'
import { now } from '../words/format.ts'
import { addWords, say } from '../words/say.ts'
import { type LotElsewhere, lotOf, otherWith } from './amount.ts'
import { movesOf, moveWith } from './changes.ts'
import { maxAssetsPerLog } from './herds.ts'
import {
  compareAgain,
  dropComparison,
  joinedBefore,
  type PendingComparison,
  pendingComparisons,
} from './pending-comparisons.ts'
import { WithheldToday } from './withheld.tsx'

addWords(entry)

/** Question about one sent entry: missing members, or a lot that another planting has. */
interface EntryQuestion {
  readonly compared: PendingComparison
  readonly log: LocalRecord
  readonly joined: readonly LocalRecord[]
  readonly taken: LotElsewhere | null
}

/** The head of Today: questions about sent entries, and what is withheld. */
export const TodayQuestions = (): JSX.Element => (
  <>
    {mayWrite() && <SentQuestions />}
    <WithheldToday />
    <UntaggedToday />
  </>
)

/** Animals that have had no tag for longer than the farm's settings say. */
function UntaggedToday(): JSX.Element | null {
  const count = untaggedAnimals().filter(isTagOverdue).length
  if (count === 0) return null
  return (
    <ul>
      <Row to="/records?of=assets&tag=none" title={say('entry.untagged', { count })} />
    </ul>
  )
}

/** Questions about entries saved without signal: move late joiners as well, or change a lot? */
function SentQuestions(): JSX.Element {
  const [answered, setAnswered] = useState<readonly EntryQuestion[]>([])
  const questions = (useCopy(ask) ?? []).filter((one) => !answered.includes(one))
  const drop = (some: readonly EntryQuestion[]) => setAnswered([...answered, ...some])
  const lots = questions.filter(({ taken }) => taken !== null)
  const moves = grouped(
    questions.filter(({ taken }) => taken === null),
    ({ compared, joined, log }) =>
      [log.fields.movement === undefined ? log.uuid : '', ...compared.groups, ...joined.map(({ id }) => id)].join(),
  )
  return (
    <>
      {lots.map((one) => (
        <LotQuestion key={one.log.uuid} question={one} onAnswer={() => drop([one])} />
      ))}
      {[...moves].map(([key, some]) => (
        <JoinedQuestion key={key} questions={some} onAnswer={() => drop(some)} />
      ))}
    </>
  )
}

const longest = 30 * 86_400
const anHour = 3600

async function ask(): Promise<readonly EntryQuestion[]> {
  const questions = await Promise.all((await pendingComparisons()).map(compare))
  return questions.flatMap((one) => one ?? [])
}

/** Null until the entry is sent. */
async function compare(compared: PendingComparison): Promise<EntryQuestion | null> {
  const log = await logBy(compared.logs.at(-1) ?? '')
  if (log === undefined || timeOf(log) < now() - longest) {
    await dropComparison(compared)
    return null
  }
  if (log.waiting) return null
  return compared.groups.length === 0 ? ofLot(compared, log) : ofHerd(compared, log)
}

/** Entries of other phones arrive soon after sending. A phone that sends later compares its own. */
async function ofLot(compared: PendingComparison, log: LocalRecord): Promise<EntryQuestion | null> {
  const taken = otherWith(lotOf(log), log, await searchLogs(lotOf(log)))
  if (taken !== null) return { compared, log, joined: [], taken }
  if (Number(log.fields.changed) < now() - anHour) await dropComparison(compared)
  return null
}

function ofHerd(compared: PendingComparison, log: LocalRecord): EntryQuestion | null {
  const members = compared.groups.flatMap((group) => membersOf(group, timeOf(log)).map(({ asset }) => asset))
  const named = idsIn(log.fields.asset)
  const joined = joinedBefore(compared, members).filter((id) => !named.includes(id))
  const assets = joined.flatMap((id) => assetBy(id) ?? [])
  return assets.length === 0 ? null : { compared, log, joined: assets, taken: null }
}

function LotQuestion({
  question,
  onAnswer,
}: {
  readonly question: EntryQuestion
  readonly onAnswer: () => void
}): JSX.Element {
  const leave = async () => {
    await dropComparison(question.compared)
    onAnswer()
  }
  return (
    <div class="banner ask">
      <p>{question.taken && say('entry.harvest.lot-taken', question.taken)}</p>
      <Link to={`${pageOf(question.log)}/edit`} class="btn">
        {say('entry.change')}
      </Link>
      <button type="button" class="btn plain" onClick={leave}>
        {say('entry.saved.right')}
      </button>
    </div>
  )
}

interface JoinedQuestionProps {
  /** Moves of the same herd that lack the same members. */
  readonly questions: readonly EntryQuestion[]
  readonly onAnswer: () => void
}

const mostNamed = 3

function JoinedQuestion({ questions, onAnswer }: JoinedQuestionProps): JSX.Element {
  const logs = questions.map(({ log }) => log)
  const joined = questions[0]?.joined ?? []
  const { length: count } = joined
  const place = shortList(logs.flatMap(areasNamedIn).flatMap((id) => termBy(id)?.name ?? []))
  const group = shortList(questions[0]?.compared.groups.flatMap((id) => assetBy(id)?.name ?? []) ?? [])
  const who = count > mostNamed ? String(count) : shortList(joined.map(({ name }) => name))
  const answer = async () => {
    for (const { compared } of questions)
      await compareAgain(
        compared,
        joined.map(({ id }) => id),
      )
    onAnswer()
  }
  const name = logs[0]?.name ?? ''
  const isMove = logs.some(({ fields }) => fields.movement !== undefined)
  const nameToo = async () => {
    const saved = await toastOnFailure(save(logs.flatMap((log) => movedToo(log, joined))))
    if (saved === null) return
    offerUndo([saved], say(isMove ? 'entry.moved.too' : 'entry.named-too', { count }))
    await answer()
  }
  return (
    <div class="banner ask">
      <p>
        {isMove
          ? say('entry.moved.joined', { count, who, group, place })
          : say('entry.joined-before', { count, who, group, name })}
      </p>
      <button type="button" class="btn" onClick={nameToo}>
        {say(isMove ? 'entry.moved.move-too' : 'entry.joined-before.yes')}
      </button>
      <button type="button" class="btn plain" onClick={answer}>
        {say('entry.moved.not-too')}
      </button>
    </div>
  )
}

/** Adds them to the same log if it has room, else makes a new one. */
function movedToo(log: LocalRecord, joined: readonly LocalRecord[]): Parameters<typeof save>[0] {
  if (idsIn(log.fields.asset).length + joined.length <= maxAssetsPerLog) return [moveWith(log, joined)]
  const to = partsIn(log.fields.movement).flatMap((part) => idsIn(part.area).flatMap((id) => termBy(id) ?? []))
  return movesOf({ name: log.name, timing: { kind: 'done', at: timeOf(log) }, assets: joined, to })
}
