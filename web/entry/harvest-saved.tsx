import type { JSX } from 'preact'
import { Icon } from '../look/icon.tsx'
import { PlaceMap } from '../look/place/place-map.tsx'
import { Row } from '../look/row.tsx'
import { useLogs } from '../look/use-logs.ts'
import { termBy } from '../store/local-copy.ts'
import { idsIn, type KeptRecord, partsIn } from '../store/record.ts'

import { figure } from '../words/format.ts'
import { sumOf, unitOf } from './amount.ts'
import { nameOfAsset } from './asset-name.ts'
import { useLotElsewhere } from './lot-elsewhere.ts'
import { SavedCard } from './saved-card.tsx'
import { say } from './say.ts'

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

const assetIn = (log: KeptRecord): string => idsIn(log.fields.asset)[0] ?? ''

function harvestWords(log: KeptRecord): string {
  const [part] = partsIn(log.fields.quantity)
  if (part === undefined) return log.name
  return say('entry.harvest.saved', { amount: `${part.value} ${unitOf(part)}`, what: nameOfAsset(assetIn(log)) })
}

function lotWords({ fields }: KeptRecord): string {
  return typeof fields.lot_number === 'string'
    ? `${say('entry.harvest.with-lot')} ${fields.lot_number}`
    : say('entry.harvest.no-lot')
}

/** Said as soon as this device knows: the farm may have it from another phone. */
function LotTaken({ log }: { readonly log: KeptRecord }): JSX.Element | null {
  const taken = useLotElsewhere(log)
  if (taken === null) return null
  return <li class="banner">{say('entry.harvest.lot-taken', taken)}</li>
}

function Where({ log }: { readonly log: KeptRecord }): JSX.Element | null {
  const area = termBy(idsIn(log.fields.area)[0] ?? '')
  return area === undefined ? null : <PlaceMap shape="tall" area={area} />
}

function Total({ log }: { readonly log: KeptRecord }): JSX.Element {
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
