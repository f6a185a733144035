import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { askForFiles } from '../forms/attachments.tsx'
import { PickRecord } from '../forms/pick-record.tsx'
import { TextField } from '../forms/text-field.tsx'
import { Chip } from '../look/chip.tsx'
import { Icon } from '../look/icon.tsx'
import { iconOfAsset } from '../look/icon-of.ts'
import { dotted, shortList } from '../look/names.ts'
import { go, replace, route, withQuery } from '../look/router.ts'
import { useLogs } from '../look/use-logs.ts'
import { assetBy, assets, termBy } from '../store/local-copy.ts'
import { noteChoice } from '../store/recent-choices.ts'
import { idsIn, type LocalRecord, timeOf } from '../store/record.ts'
import { isAnimal } from '../store/stays.ts'
import { day, figure, now } from '../words/format.ts'
import { say } from '../words/say.ts'
import { amountWords, pastAmounts, suggestedLot, sumOf } from './amount.ts'
import { AmountDetails, AmountFlow, EntrySubject, unitsOf, unitsUsed, unitTerms } from './amount-flow.tsx'
import { logOf, newPlanting, refTo } from './changes.ts'
import { addPhotos, type EntryDetails, noDetails, photosOf } from './details.tsx'
import { DraftOffer, useEntryDraft } from './draft.tsx'
import { type ChosenTerm, chosenAreas, chosenAssets, chosenTerm, idsOf } from './entry-subject.ts'
import { logNames } from './entry-words.ts'
import { HarvestSaved } from './harvest-saved.tsx'
import { whereIs } from './herds.ts'
import { compareLater } from './pending-comparisons.ts'
import { saveEntry, showSaved } from './save-entry.tsx'
import { PickPlace, Step, useEntryUp } from './step.tsx'
import { timeLine, timing } from './timing.tsx'

export function HarvestEntry(): JSX.Element {
  const saved = route.value.query.get('saved')
  if (saved !== null) return <HarvestSaved uuid={saved} />
  const [asset] = chosenAssets()
  if (asset !== undefined) return <HarvestPad key={asset.uuid} asset={asset} />
  const place = termBy(route.value.query.get('from') ?? '')
  const crop = chosenTerm('crop', 'farm_crops')
  if (crop === undefined) return place === undefined ? <HarvestWhat /> : <HarvestPad key={place.uuid} place={place} />
  return place === undefined ? <HarvestWhere /> : <HarvestPad key={crop.name} place={place} crop={crop} />
}

const sources = ['plantings', 'crops', 'places'] as const

/** Plantings first, then other assets that yield. A crop without a planting, or a bed, is one tap away. */
function HarvestWhat(): JSX.Element {
  const there = chosenAreas()
  const isThere = (asset: LocalRecord) =>
    there.length === 0 || there.some(({ id }) => id === whereIs(asset, now())?.area.id)
  const yielding = [...assets.value.values()].filter((asset) => ['planting', 'group'].includes(asset.bundle))
  const first = yielding.some(isThere) ? 'plantings' : there.length > 0 ? 'places' : 'crops'
  const source = sources.find((one) => one === route.value.query.get('of')) ?? first
  const from = there.length === 1 ? { from: idsOf(there) } : {}
  return (
    <Step label={say('entry.harvest')} title={say('entry.harvest.what')}>
      <div class="words options">
        {sources.map((one) => (
          <Chip key={one} pressed={one === source} onPress={() => replace(withQuery({ of: one }))}>
            {say(`entry.harvest.of.${one}`)}
          </Chip>
        ))}
      </div>
      <DraftOffer entry="harvest" />
      {source === 'plantings' && (
        <PickRecord
          of={{ type: 'asset', bundles: ['planting', 'group'] }}
          among={isThere}
          used="harvested"
          othersTitle={say('entry.harvest.growing')}
          order={(one, other) => Number(other.bundle === 'planting') - Number(one.bundle === 'planting')}
          onPick={({ id }) => go(withQuery({ asset: id, of: null }))}
          onNew={(name) => go(withQuery({ new: name, of: null, ...from }))}
          second={(asset) => dotted([cropOf(asset), whereIs(asset, now())?.area.name])}
        />
      )}
      {source === 'crops' && (
        <PickRecord
          of={{ type: 'term', bundles: ['farm_crops'] }}
          used="crop"
          onPick={({ id }) => go(withQuery({ crop: id, of: null, ...from }))}
          onNew={(name) => go(withQuery({ new: name, of: null, ...from }))}
        />
      )}
      {source === 'places' && (
        <PickPlace newType="bed" used="bed" onPick={({ id }) => go(withQuery({ from: id, of: null }))} />
      )}
    </Step>
  )
}

/** "New planting: Carrot · where?" */
function HarvestWhere(): JSX.Element {
  const crop = chosenTerm('crop', 'farm_crops')?.name ?? ''
  return (
    <Step
      label={say('entry.harvest')}
      before={withQuery({ crop: null, new: null })}
      title={say('entry.harvest.new-planting', { crop })}
    >
      <PickPlace newType="bed" used="bed" onPick={({ id }) => go(withQuery({ from: id }))} />
    </Step>
  )
}

const cropOf = (asset: Pick<LocalRecord, 'fields'>): string =>
  shortList(idsIn(asset.fields.crop).flatMap((id) => termBy(id)?.name ?? []))

interface HarvestDetails extends EntryDetails {
  readonly value: string
  readonly unit: string
  /** Null until the user changes the suggestion. */
  readonly lot: string | null
}

/** A planting or herd; or a place, with the crop of a planting that is made with the harvest. */
type HarvestPadProps =
  | { readonly asset: LocalRecord; readonly place?: never; readonly crop?: never }
  | { readonly asset?: never; readonly place: LocalRecord; readonly crop?: ChosenTerm }

function HarvestPad({ asset, place, crop }: HarvestPadProps): JSX.Element {
  useEntryUp(say('entry.harvest'))
  const kind = crop?.name ?? (asset === undefined ? '' : cropOf(asset) || asset.bundle)
  const [planting] = useState(() =>
    crop === undefined
      ? undefined
      : newPlanting({ crop, name: say('entry.name.in', { words: crop.name, place: place.name }) }),
  )
  const what = crop?.name ?? (asset ?? place).name
  const past = pastAmounts(useHarvestsOf(asset ?? place, kind))
  const yields = asset !== undefined && isAnimal(asset.id) ? 'animal' : 'harvest'
  const units = unitsOf(yields, kind, past)
  const composedName = logNames.harvest(what)
  const { state, change, draft } = useEntryDraft<HarvestDetails>(
    'harvest',
    { ...noDetails, value: '', unit: '', lot: null },
    ({ name }) => name || composedName,
  )
  const when = timing()
  const amount = { value: state.value, unit: state.unit || (units[0] ?? '') }
  const area = place ?? whereIs(asset, when.at)?.area
  const beside = what === area?.name ? '' : (area?.name ?? '')
  const grown = planting === undefined ? asset : { id: planting.uuid, uuid: planting.uuid, bundle: 'planting' }
  const lot = state.lot ?? (grown?.bundle === 'planting' ? suggestedLot(when.at, grown) : '')
  const own = { asset: asset?.id ?? '', done: true }
  const soFar = sumOf(useLogs({ ...own, bundles: ['farm_harvest'], limit: 500 }) ?? [], amount.unit)
  const [sowing] = useLogs({ ...own, bundles: ['farm_seeding'], limit: 1 }) ?? []
  const sownOn = sowing && timeOf(sowing)
  const save = async () => {
    const newLog = logOf({
      bundle: 'farm_harvest',
      name: state.name || composedName,
      timing: when,
      assets: asset === undefined ? [] : [asset],
      areas: area === undefined ? [] : [area],
      amounts: [amount],
      units: unitTerms(),
      note: state.note,
      more: {
        ...(lot === '' ? {} : { lot_number: lot }),
        ...(planting === undefined
          ? {}
          : { asset: [{ uuid: planting.uuid }], movement: { area: area === undefined ? [] : [refTo(area)] } }),
      },
    })
    const words = say('entry.harvest.saved', { amount: amountWords(amount), what })
    const changes = planting === undefined ? [newLog] : [planting, newLog]
    const photos = photosOf(newLog.uuid, state.photos)
    if ((await saveEntry({ entry: 'harvest', changes, words, photos, draft })) === null) return
    if (lot !== '') await compareLater({ logs: [newLog.uuid], groups: [], known: [] })
    if (asset !== undefined) noteChoice('harvested', asset.id)
    noteChoice(unitsUsed(yields, kind), amount.unit)
    showSaved('harvest', newLog.uuid)
  }
  const takePhoto = async () => addPhotos(change, await askForFiles({ accepts: 'image', from: 'camera' }))
  return (
    <AmountFlow
      entry="harvest"
      title={composedName}
      subject={
        <EntrySubject
          icon={<Icon name={asset === undefined ? 'harvest' : iconOfAsset(asset)} />}
          name={what}
          second={sownOn === undefined ? beside : say('entry.harvest.sown', { day: day(sownOn) })}
          change={withQuery({ asset: null, crop: null, new: null, from: null, draft: null })}
        />
      }
      amount={amount}
      units={units}
      past={past}
      onAmount={(part) => change({ unit: amount.unit, ...part })}
      hint={soFar > 0 ? say('entry.harvest.so-far', { amount: `${figure(soFar, 2)} ${amount.unit}` }) : undefined}
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
          details={{ ...state, ...amount }}
          composedName={composedName}
          onDetails={change}
        >
          <TextField label={say('entry.harvest.lot')} value={lot} onText={(text) => change({ lot: text })} />
        </AmountDetails>
      }
      needs="figure"
      onSave={save}
    />
  )
}

/** Earlier harvests of the same crop, else of this asset or place. */
function useHarvestsOf({ id, type }: LocalRecord, kind: string): readonly LocalRecord[] {
  const harvests = useLogs({ bundles: ['farm_harvest'], done: true, limit: 500 }) ?? []
  return harvests.filter(({ fields }) => {
    const ids = idsIn(fields.asset)
    if (ids.includes(id) || (type === 'term' && ids.length === 0 && idsIn(fields.area).includes(id))) return true
    return kind !== '' && ids.some((asset) => cropOf(assetBy(asset) ?? { fields: {} }) === kind)
  })
}

interface TimeAndLotProps {
  readonly area: LocalRecord | undefined
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
