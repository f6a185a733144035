import type { JSX } from 'preact'
import { Empty } from '../look/empty.tsx'
import { route } from '../look/router.ts'
import { ModalSheet } from '../look/sheet.tsx'
import { Title } from '../look/title.tsx'
import { mayWrite } from '../store/rights.ts'
import { AddSheet } from './add-sheet.tsx'
import { DoneEntry } from './done-amount.tsx'
import { HarvestEntry } from './harvest.tsx'
import { InputEntry } from './input.tsx'
import { leaveEntry, leaveSheet } from './leave.ts'
import { MaintainEntry } from './maintain.tsx'
import { MoveEntry } from './move.tsx'
import { ObserveEntry } from './observe.tsx'
import { say } from './say.ts'
import { SeedEntry } from './seed.tsx'
import { useEntryUp } from './step.tsx'
import { TransplantEntry } from './transplant.tsx'
import { TreatEntry } from './treat.tsx'
import { WeighEntry } from './weigh.tsx'

const entries: Readonly<Record<string, () => JSX.Element>> = {
  '/add/move': MoveEntry,
  '/add/harvest': HarvestEntry,
  '/add/observe': ObserveEntry,
  '/add/weigh': WeighEntry,
  '/add/treat': TreatEntry,
  '/add/seed': SeedEntry,
  '/add/transplant': TransplantEntry,
  '/add/input': InputEntry,
  '/add/maintain': MaintainEntry,
  '/add/done': DoneEntry,
}

/** The sheet, or the entry that the address names; whoever may only read is told whom to ask. */
export function EntryScreen(): JSX.Element {
  const { path } = route.value
  if (path === '/add') return mayWrite() ? <AddSheet /> : <AskOnSheet />
  const Entry = entries[path]
  return mayWrite() && Entry !== undefined ? <Entry key={path} /> : <AskSomebody />
}

function AskOnSheet(): JSX.Element {
  return (
    <ModalSheet title={say('act.add')} onClose={leaveSheet}>
      <p>{say('entry.ask')}</p>
    </ModalSheet>
  )
}

function AskSomebody(): JSX.Element {
  useEntryUp(say('act.add'))
  return (
    <>
      <Title text={say('act.add')} class="out" />
      <Empty text={say('entry.ask')}>
        <button type="button" class="btn tall" onClick={leaveEntry}>
          {say('entry.finish')}
        </button>
      </Empty>
    </>
  )
}
