import type { JSX } from 'preact'
import { labelOf } from '../../look/names.ts'
import { Title } from '../../look/title.tsx'
import { terms } from '../../store/local-copy.ts'
import { areasNamedIn, idsIn, isDone, type KeptRecord, timeOf } from '../../store/record.ts'
import { placesOf, restOf } from '../../store/stays.ts'

import { Actions } from './actions.tsx'
import { Flags } from './banners.tsx'
import { EditLink } from './edit-link.tsx'
import { Facts, factsOf } from './facts.tsx'
import { logFacts } from './log-facts.tsx'
import { movedTo, planWords, sinceWords } from './log-words.ts'
import { FilesOf, NoteOf } from './notes-of.tsx'
import { Photos } from './photos.tsx'
import { ownPhotos } from './photos-of.ts'
import { RecordFoot } from './record-foot.tsx'
import { say } from './say.ts'
import { nameOfArea, timeWords } from './shown.tsx'
import { SmallMap } from './small-map.tsx'
import { whoWords } from './who.ts'

const elsewhere = ['notes', 'images', 'files', 'flags', 'timestamp', 'done']

export function LogPage({ log }: { readonly log: KeptRecord }): JSX.Element {
  const plan = planWords(log)
  return (
    <article class="record log">
      <header class="record-head">
        <EditLink record={log} />
        <p class="soft">{kindLine(log)}</p>
        <Title text={log.name} class="title">
          <bdi>{log.name}</bdi>
        </Title>
        {plan && (
          <p>
            <span class={plan.isLate ? 'late' : 'due'}>{plan.words}.</span> {moveWords(log)}
          </p>
        )}
        <Actions record={log} />
      </header>
      <Flags record={log} />
      <LogMap log={log} />
      <div class="log-columns">
        <section class="block">
          <h2 class="sub">{isDone(log) ? say('log.what') : say('log.what-is-planned')}</h2>
          <Facts facts={factsOf(log, { elsewhere, otherwise: logFacts(log) })} />
        </section>
        <div>
          <NoteOf record={log} field="notes" />
          <Photos photos={ownPhotos(log)} />
          <FilesOf record={log} />
        </div>
      </div>
      <RecordFoot record={log} />
    </article>
  )
}

function kindLine(log: KeptRecord): string {
  const [kind, when] = [labelOf(log), timeWords(timeOf(log))]
  return isDone(log) ? say('log.done', { kind, when }) : say('log.planned', { kind, when })
}

/** Of a planned move: "64 ewes are in Hill 2 since 6 June. Hill 3 has rested for 38 days." */
function moveWords(log: KeptRecord): string {
  const [[asset], [to]] = [idsIn(log.fields.asset), movedTo(log)]
  const [stay] = asset === undefined ? [] : placesOf(asset)
  const rest = to === undefined ? null : restOf(to)
  const who = whoWords(log)
  return [
    to !== undefined &&
      stay?.place &&
      who &&
      say('log.is-in', { who, place: nameOfArea(stay.place), since: sinceWords(stay.from) }),
    to !== undefined && rest !== null && say('log.has-rested', { place: nameOfArea(to), count: rest }),
  ]
    .filter((sentence) => typeof sentence === 'string')
    .join(' ')
}

/** Where it took place, or where it moved to and from where. */
function LogMap({ log }: { readonly log: KeptRecord }): JSX.Element | null {
  const [to] = [...movedTo(log), ...areasNamedIn(log)]
  const area = to === undefined ? undefined : terms.value.get(to)
  if (area === undefined) return null
  return (
    <div class="log-map">
      <SmallMap area={area} from={movedTo(log).length === 0 ? undefined : cameFrom(log)} />
    </div>
  )
}

function cameFrom(log: KeptRecord): KeptRecord | undefined {
  const [asset] = idsIn(log.fields.asset)
  const [before] = asset === undefined ? [] : placesOf(asset, timeOf(log) - 1)
  if (before === undefined || before.place === null || movedTo(log).includes(before.place)) return undefined
  return terms.value.get(before.place)
}
