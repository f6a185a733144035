import type { JSX } from 'preact'
import { Icon } from '../look/icon.tsx'
import { iconOfLog } from '../look/icon-of.ts'
import { aboutOf } from '../look/names.ts'
import { Loading } from '../look/page.tsx'
import { route } from '../look/router.ts'
import { assetBy } from '../store/local-copy.ts'
import { noteChoice } from '../store/recent-choices.ts'
import { idsIn, type LocalRecord, partsIn, type RecordFields } from '../store/record.ts'
import { now } from '../words/format.ts'
import { say } from '../words/say.ts'
import { quantityIn, suggestedLot, unitOf } from './amount.ts'
import { AmountFlow, EntrySubject, unitsOf, unitsUsed, unitTerms } from './amount-flow.tsx'
import { doneAt, doneChange } from './done.ts'
import { useEntryDraft } from './draft.tsx'
import { saveEntry } from './save-entry.tsx'
import { useSavedLog } from './saved-card.tsx'
import { leaveEntry, useEntryUp } from './step.tsx'

/** Asks for the missing amount when a plan is ticked: `/add/done?log=77`. */
export function DoneEntry(): JSX.Element {
  useEntryUp(say('entry.finish'))
  const plan = useSavedLog(route.value.query.get('log') ?? '')
  if (plan === null || plan === undefined) return <Loading />
  return <HowMuch plan={plan} />
}

interface DoneAmount {
  readonly value: string
  readonly unit: string
}

function HowMuch({ plan }: { readonly plan: LocalRecord }): JSX.Element {
  const [first = {}, ...others] = partsIn(plan.fields.quantity)
  const entry = plan.bundle === 'farm_harvest' ? 'harvest' : 'input'
  const units = unitsOf(entry, plan.name)
  const begun = { value: '', unit: unitOf(first) || (units[0] ?? '') }
  const { state, change, draft } = useEntryDraft<DoneAmount>('done', begun, () => plan.name)
  const finish = async (amount: RecordFields) => {
    const done = doneChange(plan, doneAt(plan, now()))
    const changes = [{ ...done, fields: { ...done.fields, ...amount } }]
    const words = say('done.said', { name: plan.name })
    if ((await saveEntry({ changes, words, draft })) !== null) leaveEntry()
  }
  const save = () => {
    const { quantity = [] } = quantityIn([state], unitTerms()) as { readonly quantity?: readonly RecordFields[] }
    noteChoice(unitsUsed(entry, plan.name), state.unit)
    finish({ quantity: [...quantity.map((part) => ({ ...first, ...part })), ...others], ...lotFieldOf(plan) })
  }
  return (
    <AmountFlow
      entry="done"
      title={say('done.how-much')}
      subject={
        <EntrySubject icon={<Icon name={iconOfLog(plan)} />} name={plan.name} second={aboutOf(plan)} change="/" />
      }
      amount={state}
      units={units}
      past={[]}
      onAmount={change}
      hint={say('done.how-much')}
      line={
        <button type="button" class="btn plain small far" onClick={() => finish({})}>
          {say('done.without')}
        </button>
      }
      needs="figure"
      onSave={save}
    />
  )
}

/** Suggested lot for the harvest of a planting. */
function lotFieldOf(plan: LocalRecord): RecordFields {
  const planting = idsIn(plan.fields.asset)
    .map(assetBy)
    .find((asset) => asset?.bundle === 'planting')
  if (plan.bundle !== 'farm_harvest' || planting === undefined || plan.fields.lot_number !== undefined) return {}
  return { lot_number: suggestedLot(now(), planting) }
}
