import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { entry } from '../../src/words/en/entry.ts'
import { form } from '../../src/words/en/form.ts'
import { Chip } from '../look/chip.tsx'
import { Icon, type IconName } from '../look/icon.tsx'
import { lazy } from '../look/lazy.tsx'
import { Link } from '../look/link.tsx'
import { shortList } from '../look/names.ts'
import { Empty, namePage, Title } from '../look/page.tsx'
import { go, route } from '../look/router.ts'
import { ModalSheet } from '../look/sheet.tsx'
import { whyReadOnly } from '../look/strip.tsx'
import { assetBy, mayWrite, termBy } from '../store/local-copy.ts'
import { recentChoices } from '../store/recent-choices.ts'
import { addWords, say } from '../words/say.ts'
import { openCamera } from './details.tsx'
import { DoneEntry } from './done-amount.tsx'
import { chosenAreas, chosenAssets, sameSubjectQuery } from './entry-subject.ts'
import { HarvestEntry } from './harvest.tsx'
import { InputEntry } from './input.tsx'
import { MaintainEntry } from './maintain.tsx'
import { MoveEntry } from './move.tsx'
import { ObserveEntry } from './observe.tsx'
import { SeedEntry, TransplantEntry } from './planting.tsx'
import { leaveEntry, leaveSheet, useEntryUp } from './step.tsx'
import { WithheldSheet } from './withheld.tsx'

addWords(entry, form)

/** Entries about animals, herds and their weights and treatments. */
const animals = lazy(() => import('./animals-screen.tsx'))

const entries: Readonly<Record<string, () => JSX.Element>> = {
  '/add/move': MoveEntry,
  '/add/harvest': HarvestEntry,
  '/add/observe': ObserveEntry,
  '/add/seed': SeedEntry,
  '/add/transplant': TransplantEntry,
  '/add/input': InputEntry,
  '/add/maintain': MaintainEntry,
  '/add/done': DoneEntry,
}

/** The entry of the address, or the sheet of all entries. Accounts without write access are told whom to ask. */
export function EntryScreen(): JSX.Element {
  const { path } = route.value
  if (path === '/add') return mayWrite() ? <AddSheet /> : <AskOnSheet />
  const Entry = entries[path]
  if (!mayWrite()) return <AskSomebody />
  return (
    <>
      {Entry === undefined ? animals.show(({ AnimalsScreen }) => <AnimalsScreen />) : <Entry key={path} />}
      <WithheldSheet />
    </>
  )
}

function AskOnSheet(): JSX.Element {
  return (
    <ModalSheet title={say('act.add')} onClose={leaveSheet}>
      <p>{whyReadOnly()}</p>
    </ModalSheet>
  )
}

function AskSomebody(): JSX.Element {
  useEntryUp(say('act.add'))
  return (
    <>
      <Title text={say('act.add')} class="out" />
      <Empty text={whyReadOnly()}>
        <button type="button" class="btn tall" onClick={leaveEntry}>
          {say('entry.finish')}
        </button>
      </Empty>
    </>
  )
}

/** By which animals come and go. */
const comings = ['arrived', 'born', 'sold', 'died', 'slaughtered', 'departed'] as const

const icons: Readonly<Record<OfferedEntry, IconName>> = {
  move: 'move',
  harvest: 'harvest',
  observe: 'eye',
  weigh: 'weigh',
  treat: 'treat',
  seed: 'seed',
  input: 'input',
  maintain: 'maintain',
}

/** Large buttons for all quick entries, the last used first. */
function AddSheet(): JSX.Element {
  useEffect(() => {
    namePage(say('act.add'))
    void animals.fetch()
  }, [])
  const about = sameSubjectQuery()
  return (
    <ModalSheet title={question()} onClose={leaveSheet}>
      <ul class="tiles">
        {entriesInOrder().map((name) => (
          <li key={name}>
            <Link
              to={`/add/${name}${about}`}
              class="btn tile"
              {...(name === 'observe' ? { onFollow: openCamera } : {})}
            >
              <Icon name={icons[name]} />
              <span>
                <b>{say(`entry.${name}`)}</b> <small>{lastTime(name) ?? say(`entry.${name}.about`)}</small>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <h3 class="sub">{say('entry.coming-and-going')}</h3>
      <div class="options">
        {comings.map((what) => (
          <Chip key={what} onPress={() => go(`/add/animals/${what}${about}`)}>
            {say(`entry.${what}`)}
          </Chip>
        ))}
      </div>
      <Link to={`/add/log${about}`} class="btn plain fill">
        {say('entry.more')}
      </Link>
    </ModalSheet>
  )
}

function question(): string {
  const [assets, areas] = [chosenAssets(), chosenAreas()]
  if (assets.length > 0) return say('entry.what-with', { what: shortList(assets.map(({ name }) => name)) })
  if (areas.length > 0) return say('entry.what-in', { place: shortList(areas.map(({ name }) => name)) })
  return say('entry.what')
}

/** Last choice of this entry: "Milkers → North 3". */
function lastTime(name: OfferedEntry): string | undefined {
  if (name === 'move') {
    const [herd, place] = [assetBy(recentChoices('herd')[0] ?? ''), termBy(recentChoices('paddock')[0] ?? '')]
    return herd && place && `${herd.name} → ${place.name}`
  }
  return name === 'harvest' ? assetBy(recentChoices('harvested')[0] ?? '')?.name : undefined
}

/** Entries on the sheet; transplanting is reached through Seed. */
const offered = ['move', 'harvest', 'observe', 'weigh', 'treat', 'seed', 'input', 'maintain'] as const

type OfferedEntry = (typeof offered)[number]

function entriesInOrder(): readonly OfferedEntry[] {
  const used = recentChoices('entry')
  const rank = (name: string) => (used.includes(name) ? used.indexOf(name) : used.length)
  return offered.toSorted((one, other) => rank(one) - rank(other))
}
