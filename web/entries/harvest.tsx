import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { askForFiles } from '../forms/attachments.tsx'
import { PickRecord } from '../forms/pick-record.tsx'
import { TextField } from '../forms/text-field.tsx'
import { Chip } from '../look/chip.tsx'
import { Icon } from '../look/icon.tsx'
import { iconOfAsset } from '../look/icon-of.ts'
import { Row } from '../look/list.tsx'
import { dotted } from '../look/names.ts'
import { PlaceMap } from '../look/place/place-map.tsx'
import { go, route, withQuery } from '../look/router.ts'
import { useLogs } from '../look/use-logs.ts'
import { termBy } from '../store/local-copy.ts'
import { noteChoice } from '../store/recent-choices.ts'
import { idsIn, type LocalRecord, partsIn, timeOf } from '../store/record.ts'
import { productTaken } from '../store/withheld.ts'
import { day, figure, now } from '../words/format.ts'
import { say } from '../words/say.ts'
import { amountWords, sumOf, unitOf } from './amount.ts'
import { AmountDetails, AmountFlow, EntrySubject, unitsOf, unitsUsed, unitTerms } from './amount-flow.tsx'
import { logOf } from './changes.ts'
import { type EntryDetails, noDetails } from './details.tsx'
import { DraftOffer, useEntryDraft } from './draft.tsx'
import { chosenAreas, chosenAssets } from './entry-subject.ts'
import { logNames, nameOfAsset, shortList } from './entry-words.ts'
import { whereIs } from './herds.ts'
import { suggestedLot, useLotElsewhere } from './lot.ts'
import { compareLater } from './pending-comparisons.ts'
import { addPhotos, photosOf } from './photos.ts'
import { saveEntry, showSaved } from './save-entry.tsx'
import { SavedCard } from './saved-card.tsx'
import { Step, useEntryUp } from './step.tsx'
import { timeLine, timing } from './timing.tsx'
import { questionsOf, useTreatments, type WithheldQuestion, WithheldSheet } from './withheld.tsx'

export function HarvestEntry(): JSX.Element {
  const saved = route.value.query.get('saved')
  if (saved !== null) return <HarvestSaved uuid={saved} />
  const [asset] = chosenAssets()
  return asset === undefined ? <HarvestWhat /> : <HarvestPad key={asset.uuid} asset={asset} />
}

/** Plantings first, then other assets that yield. */
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

const cropOf = (asset: LocalRecord): string =>
  shortList(idsIn(asset.fields.crop).flatMap((id) => termBy(id)?.name ?? []))

interface HarvestDetails extends EntryDetails {
  readonly value: string
  readonly unit: string
  /** Null until the user changes the suggestion. */
  readonly lot: string | null
}

function HarvestPad({ asset }: { readonly asset: LocalRecord }): JSX.Element {
  useEntryUp(say('entry.harvest'))
  const kind = cropOf(asset) || asset.bundle
  const units = unitsOf('harvest', kind)
  const composedName = logNames.harvest(asset.name)
  const { state, change, draft } = useEntryDraft<HarvestDetails>(
    'harvest',
    { ...noDetails, value: '', unit: units[0] ?? '', lot: null },
    ({ name }) => name || composedName,
  )
  const when = timing()
  const area = whereIs(asset, when.at)?.area
  const lot = state.lot ?? (asset.bundle === 'planting' ? suggestedLot(when.at, asset) : '')
  const soFar = sumOf(useLogs({ asset: asset.id, bundles: ['farm_harvest'], done: true, limit: 500 }) ?? [], state.unit)
  const [sowing] = useLogs({ asset: asset.id, bundles: ['farm_seeding'], done: true, limit: 1 }) ?? []
  const sownOn = sowing && timeOf(sowing)
  const treatments = useTreatments()
  const [questions, setQuestions] = useState<readonly WithheldQuestion[]>([])
  const save = async () => {
    const product = productTaken(state.unit, asset.bundle === 'planting' ? 'planting' : 'animal')
    const asked = when.kind === 'done' ? questionsOf(treatments ?? [], [asset], { at: when.at, product }) : []
    if (asked.length > 0) return setQuestions(asked)
    await saveWith('')
  }
  const saveWith = async (answer: string) => {
    setQuestions([])
    const newLog = logOf({
      bundle: 'farm_harvest',
      name: state.name || composedName,
      timing: when,
      assets: [asset],
      areas: area === undefined ? [] : [area],
      amounts: [state],
      units: unitTerms(),
      note: [state.note, answer].filter(Boolean).join('\n'),
      more: lot === '' ? {} : { lot_number: lot },
    })
    const words = say('entry.harvest.saved', { amount: amountWords(state), what: asset.name })
    const photos = photosOf(newLog.uuid, state.photos)
    if ((await saveEntry({ entry: 'harvest', changes: [newLog], words, photos, draft })) === null) return
    if (lot !== '') compareLater({ logs: [newLog.uuid], groups: [], known: [] })
    noteChoice('harvested', asset.id)
    noteChoice(unitsUsed('harvest', kind), state.unit)
    showSaved('harvest', newLog.uuid)
  }
  const takePhoto = async () => addPhotos(change, await askForFiles({ accepts: 'image', from: 'camera' }))
  return (
    <>
      {questions.length > 0 && (
        <WithheldSheet questions={questions} onAnswer={saveWith} onClose={() => setQuestions([])} />
      )}
      <AmountFlow
        entry="harvest"
        title={composedName}
        subject={
          <EntrySubject
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
            details={state}
            composedName={composedName}
            onDetails={change}
          >
            <TextField label={say('entry.harvest.lot')} value={lot} onText={(text) => change({ lot: text })} />
          </AmountDetails>
        }
        needs="figure"
        onSave={save}
      />
    </>
  )
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

/** "18.5 kg of Carrots, 63.5 kg in all" */
function HarvestSaved({ uuid }: { readonly uuid: string }): JSX.Element {
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
  return say('entry.harvest.saved', { amount: `${part.value} ${unitOf(part)}`, what: nameOfAsset(assetIn(log)) })
}

function lotWords({ fields }: LocalRecord): string {
  return typeof fields.lot_number === 'string'
    ? `${say('entry.harvest.with-lot')} ${fields.lot_number}`
    : say('entry.harvest.no-lot')
}

/** Warns as soon as this device knows: the log with the same lot may come from another phone. */
function LotTaken({ log }: { readonly log: LocalRecord }): JSX.Element | null {
  const taken = useLotElsewhere(log)
  if (taken === null) return null
  return <li class="banner">{say('entry.harvest.lot-taken', taken)}</li>
}

function Where({ log }: { readonly log: LocalRecord }): JSX.Element | null {
  const area = termBy(idsIn(log.fields.area)[0] ?? '')
  return area === undefined ? null : <PlaceMap shape="tall" area={area} />
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
