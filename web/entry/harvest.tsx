import type { JSX } from 'preact'
import { askForFiles } from '../form/ask-for-files.ts'
import { PickRecord } from '../form/pick-record.tsx'
import { Chip } from '../look/chip.tsx'
import { Icon } from '../look/icon.tsx'
import { iconOfAsset } from '../look/icon-of.ts'
import { dotted } from '../look/names.ts'
import { go, route, withQuery } from '../look/router.ts'
import { useLogs } from '../look/use-logs.ts'
import { termBy } from '../store/local-copy.ts'
import { noteChoice } from '../store/recent-choices.ts'
import { idsIn, type KeptRecord, timeOf } from '../store/record.ts'
import { day, figure, now } from '../words/format.ts'
import { amountWords, sumOf } from './amount.ts'
import { AmountDetails } from './amount-details.tsx'
import { AmountFlow, Subject } from './amount-flow.tsx'
import { logOf } from './changes.ts'
import { chosenAreas, chosenAssets } from './chosen.ts'
import { compareLater } from './compared-later.ts'
import { nothingSaid, type Said } from './details.tsx'
import { useDraft } from './draft.ts'
import { DraftOffer } from './draft-offer.tsx'
import { HarvestSaved } from './harvest-saved.tsx'
import { whereIs } from './herds.ts'
import { suggestedLot } from './lot.ts'
import { composed, listed } from './names.ts'
import { addPhotos, photosOf } from './photos.ts'
import { keepEntry, showSaved } from './save-entry.ts'
import { say } from './say.ts'
import { Step, useEntryUp } from './step.tsx'
import { TextField } from './text-field.tsx'
import { timeLine } from './time-line.ts'
import { timing } from './timing.tsx'
import { unitsOf, unitsUsed, unitTerms } from './units.tsx'

export function HarvestEntry(): JSX.Element {
  const saved = route.value.query.get('saved')
  if (saved !== null) return <HarvestSaved uuid={saved} />
  const [asset] = chosenAssets()
  return asset === undefined ? <HarvestWhat /> : <HarvestPad key={asset.uuid} asset={asset} />
}

/** Plantings first: what else gives something comes after. */
function HarvestWhat(): JSX.Element {
  const there = chosenAreas()
  return (
    <Step label={say('entry.harvest')} title={say('entry.harvest.what')}>
      <DraftOffer entry="harvest" />
      <PickRecord
        of={{ type: 'asset', bundles: ['planting', 'group'] }}
        among={(asset) => there.length === 0 || there.some(({ id }) => id === whereIs(asset, now())?.area.id)}
        used="harvested"
        othersTitle={say('entry.harvest.growing')}
        order={(one, other) => Number(other.bundle === 'planting') - Number(one.bundle === 'planting')}
        onPick={({ id }) => go(withQuery({ asset: id }))}
        second={(asset) => dotted([cropOf(asset), whereIs(asset, now())?.area.name])}
      />
    </Step>
  )
}

const cropOf = (asset: KeptRecord): string => listed(idsIn(asset.fields.crop).flatMap((id) => termBy(id)?.name ?? []))

interface Harvested extends Said {
  readonly value: string
  readonly unit: string
  /** Null as long as nobody has changed what is suggested. */
  readonly lot: string | null
}

function HarvestPad({ asset }: { readonly asset: KeptRecord }): JSX.Element {
  useEntryUp(say('entry.harvest'))
  const kind = cropOf(asset) || asset.bundle
  const units = unitsOf('harvest', kind)
  const composedName = composed.harvest(asset.name)
  const { state, change, draft } = useDraft<Harvested>(
    'harvest',
    { ...nothingSaid, value: '', unit: units[0] ?? '', lot: null },
    ({ name }) => name || composedName,
  )
  const when = timing()
  const area = whereIs(asset, when.at)?.area
  const lot = state.lot ?? (asset.bundle === 'planting' ? suggestedLot(when.at, asset) : '')
  const soFar = sumOf(useLogs({ asset: asset.id, bundles: ['farm_harvest'], done: true, limit: 500 }) ?? [], state.unit)
  const [sowing] = useLogs({ asset: asset.id, bundles: ['farm_seeding'], done: true, limit: 1 }) ?? []
  const sownOn = sowing && timeOf(sowing)
  const save = async () => {
    const made = logOf({
      bundle: 'farm_harvest',
      name: state.name || composedName,
      timing: when,
      assets: [asset],
      areas: area === undefined ? [] : [area],
      amounts: [state],
      units: unitTerms(),
      note: state.note,
      more: lot === '' ? {} : { lot_number: lot },
    })
    const words = say('entry.harvest.saved', { amount: amountWords(state), what: asset.name })
    const photos = photosOf(made.uuid, state.photos)
    if ((await keepEntry({ entry: 'harvest', changes: [made], words, photos, draft })) === null) return
    if (lot !== '') compareLater({ logs: [made.uuid], groups: [], known: [] })
    noteChoice('harvested', asset.id)
    noteChoice(unitsUsed('harvest', kind), state.unit)
    showSaved('harvest', made.uuid)
  }
  const takePhoto = async () => addPhotos(change, await askForFiles({ accepts: 'image', from: 'camera' }))
  return (
    <AmountFlow
      entry="harvest"
      title={composedName}
      subject={
        <Subject
          icon={<Icon name={iconOfAsset(asset)} />}
          name={asset.name}
          second={sownOn === undefined ? (area?.name ?? '') : say('entry.harvest.sown', { day: day(sownOn) })}
          change={withQuery({ asset: null, draft: null })}
        />
      }
      amount={state}
      units={units}
      onAmount={change}
      hint={soFar > 0 ? say('entry.harvest.so-far', { amount: `${figure(soFar, 2)} ${state.unit}` }) : undefined}
      chips={
        <span class="far">
          <Chip icon="camera" onPress={takePhoto}>
            {state.photos.length === 0 ? say('entry.photo') : say('entry.photos', { count: state.photos.length })}
          </Chip>
        </span>
      }
      line={
        <AmountDetails
          words={<TimeAndLot area={area} lot={lot} />}
          said={state}
          composedName={composedName}
          onSay={change}
        >
          <TextField label={say('entry.harvest.lot')} value={lot} onText={(text) => change({ lot: text })} />
        </AmountDetails>
      }
      needs="figure"
      onSave={save}
    />
  )
}

interface TimeAndLotProps {
  readonly area: KeptRecord | undefined
  readonly lot: string
}

function TimeAndLot({ area, lot }: TimeAndLotProps): JSX.Element {
  return (
    <>
      {timeLine(area)}
      {lot !== '' && ` · ${say('entry.harvest.with-lot')} `}
      {lot !== '' && <b class="num">{lot}</b>}
    </>
  )
}
