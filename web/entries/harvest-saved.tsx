import type { JSX } from 'preact'
import { Icon } from '../look/icon.tsx'
import { Row } from '../look/list.tsx'
import { amountIn } from '../look/names.ts'
import { useLogs } from '../look/use-logs.ts'
import { termBy } from '../store/local-copy.ts'
import { idsIn, type LocalRecord, partsIn } from '../store/record.ts'
import { figure } from '../words/format.ts'
import { say } from '../words/say.ts'
import { lotOf, sumOf, unitOf, useLotElsewhere } from './amount.ts'
import { nameOfAsset } from './entry-words.ts'
import { SavedCard, Where } from './saved-card.tsx'

/** "18.5 kg of Carrots, 63.5 kg in all" */
export function HarvestSaved({ uuid }: { readonly uuid: string }): JSX.Element {
  return (
    <SavedCard
      label={say('entry.harvest')}
      uuid={uuid}
      words={harvestWords}
      second={lotWords}
      picture={(log) => <Where log={log} />}
      more={(log) => (
        <>
          <LotTaken log={log} />
          <Total log={log} />
        </>
      )}
    />
  )
}

const assetIn = (log: LocalRecord): string => idsIn(log.fields.asset)[0] ?? ''

function harvestWords(log: LocalRecord): string {
  const [part] = partsIn(log.fields.quantity)
  if (part === undefined) return log.name
  return say('entry.harvest.saved', {
    amount: amountIn(part),
    what: nameOfAsset(assetIn(log)) || nameOfPlace(log),
  })
}

const nameOfPlace = (log: LocalRecord): string => termBy(idsIn(log.fields.area)[0] ?? '')?.name ?? log.name

/** Milk and eggs need no lot. */
function lotWords(log: LocalRecord): string | undefined {
  const lot = lotOf(log)
  return lot === '' ? undefined : say('shell.lot', { lot })
}

/** Warns as soon as this device knows: the log with the same lot may come from another phone. */
function LotTaken({ log }: { readonly log: LocalRecord }): JSX.Element | null {
  const taken = useLotElsewhere(log)
  if (taken === null) return null
  return <li class="banner">{say('entry.harvest.lot-taken', taken)}</li>
}

function Total({ log }: { readonly log: LocalRecord }): JSX.Element {
  const asset = assetIn(log)
  const [part = {}] = partsIn(log.fields.quantity)
  const harvests = useLogs({ asset, bundles: ['farm_harvest'], done: true, limit: 500 }) ?? []
  const total = sumOf(harvests, unitOf(part))
  return (
    <Row
      to="/add/harvest"
      margin={<Icon name="harvest" />}
      title={say('entry.saved.another')}
      second={total > 0 ? say('entry.harvest.total', { amount: `${figure(total, 2)} ${unitOf(part)}` }) : undefined}
      end={<Icon name="next" size="small" />}
    />
  )
}
