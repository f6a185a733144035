import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { offerUndo, orTell } from '../look/undo.tsx'
import { assetBy, generation, log as logBy, termBy } from '../store/copy.ts'
import { areasNamedIn, idsIn, partsIn, timeOf } from '../store/row.ts'
import { membersOf } from '../store/stays.ts'
import type { KeptRecord } from '../store/types.ts'
import { save } from '../sync/save.ts'
import { now } from '../words/format.ts'
import { movesOf, moveWith } from './changes.ts'
import { type Compared, compareAgain, isCompared, joinedBefore, movesToCompare } from './joined-before.ts'
import { mostInOneLog } from './members.ts'
import { listed } from './names.ts'
import { say } from './say.ts'

interface Question {
  readonly move: Compared
  readonly log: KeptRecord
  readonly joined: readonly KeptRecord[]
}

/** Of moves that were saved without signal: whether those who had joined the herd before move, too. */
export function JoinedQuestions(): JSX.Element {
  const [questions, setQuestions] = useState<readonly Question[]>([])
  const commit = generation.value
  useEffect(() => {
    let isWanted = true
    ask().then((found) => isWanted && setQuestions(found))
    return () => {
      isWanted = false
    }
  }, [commit])
  return (
    <>
      {questions.map((question) => (
        <Asked
          key={question.log.uuid}
          question={question}
          onAnswer={() => setQuestions(questions.filter((other) => other !== question))}
        />
      ))}
    </>
  )
}

const longest = 30 * 86_400

async function ask(): Promise<readonly Question[]> {
  const asked = await Promise.all((await movesToCompare()).map(questionOf))
  return asked.flatMap((question) => question ?? [])
}

/** Only once the farm has it. */
async function questionOf(move: Compared): Promise<Question | null> {
  const log = await logBy(move.logs.at(-1) ?? '')
  if (log === undefined || timeOf(log) < now() - longest) {
    await isCompared(move)
    return null
  }
  if (log.waiting) return null
  const members = move.groups.flatMap((group) => membersOf(group, timeOf(log)).map(({ asset }) => asset))
  const joined = joinedBefore(move, members).flatMap((id) => assetBy(id) ?? [])
  return joined.length === 0 ? null : { move, log, joined }
}

interface AskedProps {
  readonly question: Question
  readonly onAnswer: () => void
}

function Asked({ question: { move, log, joined }, onAnswer }: AskedProps): JSX.Element {
  const place = listed(areasNamedIn(log).flatMap((id) => termBy(id)?.name ?? []))
  const group = listed(move.groups.flatMap((id) => assetBy(id)?.name ?? []))
  const answer = async () => {
    await compareAgain(
      move,
      joined.map(({ id }) => id),
    )
    onAnswer()
  }
  const moveToo = async () => {
    const saved = await orTell(save(movedToo(log, joined)))
    if (saved === null) return
    offerUndo([saved], say('entry.moved.too', { count: joined.length }))
    await answer()
  }
  return (
    <div class="banner ask">
      <p>{say('entry.moved.joined', { count: joined.length, group, place })}</p>
      <button type="button" class="btn" onClick={moveToo}>
        {say('entry.moved.move-too')}
      </button>
      <button type="button" class="btn plain" onClick={answer}>
        {say('entry.moved.not-too')}
      </button>
    </div>
  )
}

/** In the same log, where it has room for them. */
function movedToo(log: KeptRecord, joined: readonly KeptRecord[]): Parameters<typeof save>[0] {
  if (idsIn(log.fields.asset).length + joined.length <= mostInOneLog) return [moveWith(log, joined)]
  const to = partsIn(log.fields.movement).flatMap((part) => idsIn(part.area).flatMap((id) => termBy(id) ?? []))
  return movesOf({ name: log.name, timing: { kind: 'done', at: timeOf(log) }, assets: joined, to })
}
