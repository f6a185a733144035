import type { InspectionDocument, RegisterDocument } from '../../../src/doors/furrow/reports/register-description.ts'
import type { HistoryDocument, SumsDocument } from '../../../src/doors/furrow/reports/report-description.ts'
import {
  type HistoryGrouping,
  historyGroupings,
  historyReport,
  inspectionReport,
  type KeptReportName,
  type ReportGrouping,
  registerColumns,
  reportGroupings,
} from '../../../src/reports/report-names.ts'
import { clock, dayAndYear, farmTime } from '../../words/format.ts'
import { locale } from '../../words/locale.ts'
import { say } from '../../words/say.ts'

export type { HistoryDocument, InspectionDocument, RegisterDocument, SumsDocument }
export type ReportDocument = SumsDocument | HistoryDocument | RegisterDocument | InspectionDocument
export type SumsLine = SumsDocument['lines'][number]
export type SumsAmount = SumsLine['amounts'][number]
export type ReportedPlace = NonNullable<SumsDocument['places']>[number]

export const isHistory = (document: ReportDocument): document is HistoryDocument => document.report === historyReport

export const isRegister = (document: ReportDocument): document is RegisterDocument =>
  Object.hasOwn(registerColumns, document.report)

export const isInspection = (document: ReportDocument): document is InspectionDocument =>
  document.report === inspectionReport

type Groupings = Readonly<Partial<Record<KeptReportName, readonly (ReportGrouping | HistoryGrouping)[]>>>

/** How the lines of each report can be told apart, the usual way first; those of a register cannot. */
export const groupings: Groupings = { ...reportGroupings, [historyReport]: historyGroupings }

/** All digits, in the device's number format. */
export const decimalText = (decimal: string): string =>
  new Intl.NumberFormat(locale.value, { maximumFractionDigits: 3 }).format(decimal as `${number}`)

export const measured = (value: string, unit: string): string => [decimalText(value), unit].filter(Boolean).join(' ')

/** "412.5 kg Ivermectin" */
export function amountText({ value, unit, label }: Pick<SumsAmount, 'value' | 'unit' | 'label'>): string {
  const figure = value === null ? say('reports.no-sum') : measured(value, unit)
  return [figure, label].filter(Boolean).join(' ')
}

/** "milk" of "65,183 l"; null if the unit is the product, as in "2,435 eggs". */
export function productOf({ product, unit }: Pick<SumsAmount, 'product' | 'unit'>): string | null {
  const words = product && say(`reports.${product}`)
  return words && words !== unit ? words : null
}

/** Conversions into the unit of the sum: "12 lb counted as 5.443 kg". */
export const conversions = ({ joined, unit }: Pick<SumsAmount, 'joined' | 'unit'>): readonly string[] =>
  joined
    .filter(({ factor }) => factor !== '1/1')
    .map((one) =>
      say('reports.counted-as', {
        written: measured(one.value, one.unit),
        counted: measured(one.counted, unit),
      }),
    )

export const daysOf = ({ from, to }: Pick<ReportDocument, 'from' | 'to'>): string =>
  say('reports.days', { from: dayAndYear(farmTime(from)), to: dayAndYear(farmTime(to)) })

const mostNames = 3

interface NamedItem {
  readonly name: string
}

/** The first few names, and the number of others. */
function someNames(items: readonly NamedItem[]): string {
  const names = items.slice(0, mostNames).map(({ name }) => name)
  const count = items.length - names.length
  const listed = names.join(', ')
  return count <= 0 ? listed : say('reports.and-more', { names: listed, count })
}

export const allNames = (items: readonly NamedItem[]): string => items.map(({ name }) => name).join(', ')

const labels = (types: readonly { readonly label: string }[]): string => types.map(({ label }) => label).join(', ')

/** Title of a line: "Carrots, Kale". */
export const lineTitle = (line: SumsLine, { group }: Pick<SumsDocument, 'group'>): string =>
  group.map((one) => titles[one](line)).join(' · ')

const titles: Readonly<Record<SumsDocument['group'][number], (line: SumsLine) => string>> = {
  crop: ({ crops, herds, asset_types }) =>
    allNames(crops) || allNames(herds) || labels(asset_types) || say('reports.nothing-named'),
  planting: ({ assets }) => allNames(assets) || say('reports.nothing-named'),
  asset: ({ assets }) => allNames(assets) || say('reports.nothing-named'),
  area: ({ areas }) => allNames(areas) || say('reports.no-area'),
  material: ({ materials, log_types }) => allNames(materials) || labels(log_types),
}

/** Second line: place or subject, if not in the title. */
export function lineSecond(line: SumsLine, { group }: Pick<SumsDocument, 'group'>): string {
  if (!group.includes('area') && line.areas.length > 0) return someNames(line.areas)
  if (!group.includes('crop') && line.crops.length > 0) return someNames(line.crops)
  return group.includes('asset') || group.includes('planting') ? '' : someNames(line.assets)
}

/** "16 June 2026, 10:42" */
export const dayAndClockOf = (at: number): string => `${dayAndYear(at)}, ${clock(at)}`
