import type { JSX } from 'preact'
import { groupBundle } from '../../src/farm/bundle-names.ts'
import { animals } from '../../src/words/en/animals.ts'
import { entry } from '../../src/words/en/entry.ts'
import { form } from '../../src/words/en/form.ts'
import { PickRecord, PickRow } from '../forms/pick-record.tsx'
import { TextField } from '../forms/text-field.tsx'
import { Chip } from '../look/chip.tsx'
import { Link, pageOf } from '../look/link.tsx'
import { shortList } from '../look/names.ts'
import { replace, route, withQuery } from '../look/router.ts'
import { assetBy } from '../store/local-copy.ts'
import { noteChoice } from '../store/recent-choices.ts'
import type { LocalRecord } from '../store/record.ts'
import { countedHeads, groupsOf, membersOf } from '../store/stays.ts'
import { addWords, say } from '../words/say.ts'
import { herdOf, joiningOf } from './animal-changes.ts'
import {
  AskRow,
  AskStep,
  askedFor,
  chosenHerd,
  DayField,
  noStock,
  placeWords,
  SaveButton,
  StockFields,
  type StockState,
  stockIn,
} from './animal-fields.tsx'
import { ArrivedEntry, LeavingEntry } from './coming-and-going.tsx'
import { type EntryDetails, noDetails } from './details.tsx'
import { useEntryDraft } from './draft.tsx'
import { chosenAreas, chosenAssets, idsOf } from './entry-subject.ts'
import { logNames } from './entry-words.ts'
import { headsIn } from './herds.ts'
import { BornEntry, NewAnimalsEntry } from './new-animals.tsx'
import { saveEntry } from './save-entry.tsx'
import { Step } from './step.tsx'
import { timing } from './timing.tsx'
import { TreatEntry } from './treat.tsx'
import { isForHerd, TreatHerd, WeighHerd } from './treat-herd.tsx'
import { WeighEntry } from './weigh.tsx'

addWords(entry, form, animals)

const entries: Readonly<Record<string, () => JSX.Element>> = {
  '/add/treat': () => (isForHerd() ? <TreatHerd /> : <TreatEntry />),
  '/add/weigh': () => (isForHerd() ? <WeighHerd /> : <WeighEntry />),
  '/add/animals/new': NewAnimalsEntry,
  '/add/animals/herd': HerdEntry,
  '/add/animals/into': IntoEntry,
  '/add/animals/out': TakeOutEntry,
  '/add/animals/arrived': ArrivedEntry,
  '/add/animals/born': BornEntry,
  '/add/animals/sold': () => <LeavingEntry what="sold" />,
  '/add/animals/died': () => <LeavingEntry what="died" />,
  '/add/animals/slaughtered': () => <LeavingEntry what="slaughtered" />,
  '/add/animals/departed': () => <LeavingEntry what="departed" />,
}

/** The entry of the address about animals; undefined if there is none. */
export function AnimalsScreen(): JSX.Element | null {
  const Entry = entries[route.value.path]
  return Entry === undefined ? null : <Entry key={route.value.path} />
}

interface HerdState extends StockState, EntryDetails {
  readonly others: 'kept' | 'left'
}

/** Makes a herd, with who is in it and where it is; or takes more into the herd of the address. */
function HerdEntry(): JSX.Element {
  const herd = chosenHerd()
  const by = chosenAssets().length > 0 ? 'animals' : 'tags'
  const begun: HerdState = { ...noStock, ...noDetails, by, others: 'kept' }
  const { state, change, draft } = useEntryDraft<HerdState>('animals/herd', begun, (typed) => typed.name)
  const label = say(herd === undefined ? 'animals.make-herd' : 'animals.into')
  const ask = askedFor()
  if (ask !== null) return <AskStep label={label} ask={ask} />
  const name = herd?.name ?? state.name.trim()
  const answer = stockIn(state, name)
  const heads = headsIn(answer.known) + answer.fresh.length + answer.heads
  const flock = answer.fresh.length === 0 ? undefined : flockOf(herd, answer.fresh.length)
  const save = async () => {
    const words = say('animals.herd-saved', { herd: name, count: heads })
    const [to, { others }] = [herd === undefined ? chosenAreas() : [], state]
    const changes = herdOf({
      ...{ name: words.slice(0, longestName), timing: timing(), members: answer.known, others, to },
      herd: herd ?? { name },
      stock: answer.stock,
      outOf: flock,
      moveName: logNames.move(name, to[0]?.name ?? ''),
    })
    if ((await saveEntry({ changes, words, draft })) === null) return
    const id = herd?.id ?? changes[0]?.uuid ?? ''
    noteChoice('herd', id)
    const back = route.peek().query.get('back')
    const made = assetBy(id)
    replace(back === null ? (made === undefined ? '/' : pageOf(made)) : `${back}?asset=${id}`)
  }
  const others = herd === undefined ? [] : herdsOf(answer.known).filter(({ id }) => id !== herd.id)
  return (
    <Step
      label={label}
      title={herd === undefined ? say('animals.make-herd') : say('animals.into-herd', { herd: herd.name })}
      foot={
        <SaveButton isReady={name !== '' && answer.isReady && (herd === undefined || heads > 0)} onSave={save}>
          {heads === 0 ? say('entry.save') : say('animals.save-herd', { count: heads })}
        </SaveButton>
      }
    >
      {herd === undefined && (
        <div class="words details">
          <TextField label={say('entry.name')} value={state.name} onText={(typed) => change({ name: typed })} />
        </div>
      )}
      <StockFields ways={['tags', 'animals', 'heads']} state={state} answer={answer} onChange={change} />
      {herd === undefined && (
        <ul>
          <AskRow ask="place" label={say('animals.where')} value={placeWords()} />
        </ul>
      )}
      <div class="words details">
        {flock !== undefined && (
          <p class="soft small">
            {say('animals.out-of-count', { flock: flock.name, number: countedHeads(flock) ?? 0 })}
          </p>
        )}
        {others.length > 0 && (
          <div class="options">
            {(['kept', 'left'] as const).map((one) => (
              <Chip key={one} pressed={state.others === one} onPress={() => change({ others: one })}>
                {say(`animals.others.${one}`, { herds: shortList(others.map(({ name }) => name)) })}
              </Chip>
            ))}
          </div>
        )}
        <DayField />
      </div>
    </Step>
  )
}

const longestName = 255

/** The animals of the herd that are counted by head, if they are at least as many. */
function flockOf(herd: LocalRecord | undefined, least: number): LocalRecord | undefined {
  const members = herd === undefined ? [] : membersOf(herd.id).flatMap(({ asset }) => assetBy(asset) ?? [])
  return members.find((member) => (countedHeads(member) ?? 0) >= least)
}

function herdsOf(animals: readonly LocalRecord[]): readonly LocalRecord[] {
  const ids = animals.flatMap(({ id }) => groupsOf(id).flatMap(({ place }) => place ?? []))
  return [...new Set(ids)].flatMap((id) => assetBy(id) ?? [])
}

/** Chooses the herd that the animals of the address come into. */
function IntoEntry(): JSX.Element {
  const animals = route.value.query.get('asset') ?? ''
  const into = ({ id }: LocalRecord) => replace(`/add/animals/herd?asset=${animals}&herd=${id}`)
  return (
    <Step
      label={say('animals.into')}
      title={say('animals.ask.herd')}
      second={shortList(chosenAssets().map(({ name }) => name))}
      foot={
        <>
          {chosenAssets().some(({ id }) => groupsOf(id).length > 0) && (
            <Link to={`/add/animals/out?asset=${animals}`} class="btn plain">
              {say('animals.no-herd')}
            </Link>
          )}
          <Link to={`/add/animals/herd?asset=${animals}`} class="btn plain">
            {say('animals.make-herd')}
          </Link>
        </>
      }
    >
      <PickRecord of={{ type: 'asset', bundles: [groupBundle] }} used="herd" onPick={into} />
    </Step>
  )
}

/** Takes animals out of the herd `?from=`, else out of all their herds. */
function TakeOutEntry(): JSX.Element {
  const label = say('animals.take-out')
  const [from, herd, chosen] = [assetBy(route.value.query.get('from') ?? ''), chosenHerd(), chosenAssets()]
  const ask = askedFor()
  if (ask === 'herd') return <AskStep label={label} ask={ask} />
  const members = from === undefined ? chosen : membersOf(from.id).flatMap(({ asset }) => assetBy(asset) ?? [])
  const herds = from === undefined ? shortList(herdsOf(chosen).map(({ name }) => name)) : from.name
  const tick = (record: LocalRecord) => {
    const next = chosen.includes(record) ? chosen.filter((one) => one !== record) : [...chosen, record]
    replace(withQuery({ asset: idsOf(next) }))
  }
  const save = async () => {
    const words = say('animals.taken-out', { herd: herds, count: headsIn(chosen) })
    const others = from === undefined ? 'left' : 'kept'
    const basics = { name: words.slice(0, longestName), timing: timing(), others } as const
    const changes = joiningOf({ ...basics, herd, members: chosen, ...(from && { from }) })
    const [page] = from === undefined ? chosen : [from]
    if ((await saveEntry({ changes, words })) !== null) replace(page === undefined ? '/' : pageOf(page))
  }
  return (
    <Step
      label={label}
      title={say('animals.who-leaves', { herd: herds })}
      foot={
        <SaveButton isReady={chosen.length > 0} onSave={save}>
          {say('animals.save-out', { count: headsIn(chosen) })}
        </SaveButton>
      }
    >
      <ul>
        <AskRow ask="herd" label={say('animals.into')} value={herd?.name ?? say('animals.no-herd')} />
        {members.map((member) => (
          <PickRow key={member.uuid} record={member} look={{ chosen: chosen.map(({ id }) => id) }} onPick={tick} />
        ))}
      </ul>
      <div class="words details">
        <DayField />
      </div>
    </Step>
  )
}
