import type { RecordTypeName } from '../../../../farm/farm.ts'
import type { FieldOf, ReferableType } from '../../../../fields/field.ts'
import { trimmedTextKey } from '../../../../fields/key.ts'
import { shown } from '../../../../fields/place.ts'
import { uuidIn } from '../../../../fields/uuid.ts'
import type { Value } from '../../../../fields/value.ts'
import type { RecordLabel } from '../../../../storage/records/record-lookup.ts'
import { wholeNumber } from '../../../http/whole-number.ts'
import { KnownId } from '../../intake/known-id.ts'
import { numberInName } from '../cells/named.ts'
import type { CellReading, CellSpot } from './cell-reading.ts'
import type { NamedInCells } from './named-in-cells.ts'
import type { RowAbove, RowsAbove } from './rows-above.ts'

type Referred = CellReading['referred']
type ReferenceField = FieldOf<'reference'>

interface Around {
  readonly named: NamedInCells
  /** The type of the records that the sheet is about. */
  readonly type: RecordTypeName
  /** The bundle of the record that refers. */
  readonly bundle: string
  readonly above: RowsAbove
  /** Called for a row above that has no number yet. */
  readonly awaited: (row: RowAbove) => void
}

/** What words are for the type of what they stand for. */
const things: Readonly<Record<ReferableType, string>> = {
  ...{ log: 'log', asset: 'asset', term: 'term', quantity: 'quantity', vocabulary: 'vocabulary', user: 'user' },
}

/** What a word in a cell stands for, by what is there and by the rows above. Two that it may stand for are a fault. */
export const referredBy = (around: Around): Referred => {
  return (field, word, spot) => {
    if (field.to === 'vocabulary') return word
    const uuid = uuidIn(word)
    if (uuid !== undefined) return underUuid(around, field, { uuid, spot })
    const candidates = candidatesFor(around, field, word)
    const already = candidates.filter(({ id }) => id !== undefined && hasAlready(spot.before, id))
    const [only, second] = already.length === 1 ? already : candidates
    if (only === undefined) return unfound(around, field, { word, spot })
    if (second === undefined) return treeOf(around, field, only)
    return spot.fault(`${shown(word)} may be one of several; write its number behind it`, candidates.map(spelled))
  }
}

/** Of those that a word may mean no more are told. */
const mostNamesakes = 20

/** Something that a word may stand for: a record that is there, or a row above. */
type Candidate = RecordLabel | RowAbove

function candidatesFor(around: Around, field: ReferenceField, word: string): readonly Candidate[] {
  const isWithin = ({ bundle }: Candidate) => withinOf(field, around.bundle)?.includes(bundle) ?? true
  const { to } = field
  const behind = numberInName(word)
  const number = behind?.id ?? wholeNumber(word)
  const numbered = number === undefined ? undefined : around.named.numbered(to, number)
  const isNamedSo = behind === undefined || behind.name === '' || isCalled(numbered, behind.name)
  const there = [
    ...around.named.called(to, word),
    ...(to === 'asset' ? around.named.tagged(word) : []),
    ...(numbered !== undefined && isNamedSo ? [numbered] : []),
  ].filter(isWithin)
  const known = new Map<number | string, Candidate>(there.map((one) => [one.id, one]))
  if (to === around.type) {
    for (const one of around.above.called(word)) {
      if (known.size >= mostNamesakes) break
      if (isWithin(one)) known.set(one.id ?? `row ${one.row}`, one)
    }
  }
  return [...known.values()]
}

const isCalled = (record: RecordLabel | undefined, name: string): boolean =>
  record !== undefined && trimmedTextKey(record.name) === trimmedTextKey(name)

const withinOf = ({ within }: ReferenceField, own: string): readonly string[] | undefined =>
  within === 'own' ? [own] : within

const hasAlready = (before: Value | undefined, id: number): boolean =>
  Array.isArray(before) ? before.includes(id) : before === id

const spelled = (one: Candidate): string => ('row' in one ? `${one.name} in row ${one.row}` : `${one.name} #${one.id}`)

function treeOf(around: Around, { to }: ReferenceField, one: Candidate): unknown {
  if (!('row' in one)) return { id: String(one.id) }
  if (one.id === undefined) around.awaited(one)
  return { id: new KnownId(to, one.id ?? 1, `row ${one.row}`) }
}

interface ByUuid {
  readonly uuid: string
  readonly spot: CellSpot
}

function underUuid(around: Around, { to }: ReferenceField, { uuid, spot }: ByUuid): unknown {
  const above = to === around.type ? around.above.under(uuid) : undefined
  if (above !== undefined) {
    if (above.id === undefined) around.awaited(above)
    return { uuid }
  }
  const identity = around.named.under(uuid)
  if (identity?.type === to && identity.removed === null) return { uuid }
  return spot.fault(`there is no ${things[to]} with the UUID ${uuid}`)
}

interface Word {
  readonly word: string
  readonly spot: CellSpot
}

/** A term that is not there yet is made by its name, as in JSON; of a number, and of anything else, nothing can be made. */
function unfound(around: Around, field: ReferenceField, { word, spot }: Word): unknown {
  const thing = things[field.to]
  const behind = numberInName(word)
  const id = behind?.id ?? wholeNumber(word)
  const other = id === undefined ? undefined : around.named.numbered(field.to, id)
  if (behind !== undefined) {
    if (other === undefined) return spot.fault(`there is no ${thing} with the id ${behind.id}`)
    const isOther = behind.name !== '' && !isCalled(other, behind.name)
    return isOther
      ? spot.fault(`${thing} ${behind.id} is called ${shown(other.name)}`, [spelled(other)])
      : spot.fault(`${thing} ${behind.id} is of the type ${other.bundle}`, withinOf(field, around.bundle))
  }
  if (field.to === 'term') return { name: word }
  const namesake = other ?? around.named.called(field.to, word)[0]
  if (namesake !== undefined)
    return spot.fault(`${thing} ${spelled(namesake)} is of the type ${namesake.bundle}`, withinOf(field, around.bundle))
  const earlier = field.to === 'asset' ? ', nor has any that ear tag' : ''
  return spot.fault(`there is no ${thing} called ${shown(word)}${earlier}`)
}
