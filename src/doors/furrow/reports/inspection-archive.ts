import { type FileToPack, zipOf } from '../../../formats/zip/write-zip.ts'
import type { ReadPhoto } from '../../../reports/inspection-photos.ts'
import type { ReportPlace } from '../../../reports/named-records.ts'
import { paperMap } from '../../../reports/paper-map.ts'
import { workbookOf } from '../../../sheets/write-workbook.ts'
import { languages } from '../../../words/languages.ts'
import { registerWords } from '../../../words/words-of.ts'
import { Html, html } from '../../http/html.ts'
import type { InspectionDocument, RegisterDocument } from './register-description.ts'
import { registerSheet } from './register-document.ts'

type Say = Awaited<ReturnType<typeof registerWords>>

interface ArchiveContents {
  readonly places: readonly ReportPlace[]
  readonly photos: readonly ReadPhoto[]
}

/** A ZIP for an inspector: print pages, a workbook for each register, the map, and the chosen photos. */
export async function inspectionArchive(
  document: InspectionDocument,
  { places, photos }: ArchiveContents,
): Promise<Buffer> {
  const say = await registerWords(document.language)
  const map = paperMap(places)
  const files: FileToPack[] = [{ name: 'inspection.html', pieces: [wholePage(document, { say, map, photos })] }]
  for (const register of document.registers) {
    files.push({ name: `print/${register.report}.html`, pieces: [registerPage(register, say)] })
    files.push({ name: `sheets/${register.report}.xlsx`, pieces: [await workbookOf(registerSheet(register))] })
  }
  if (map !== undefined) files.push({ name: 'map.svg', pieces: [map] })
  for (const photo of photos) files.push({ name: fileOf(photo), pieces: [photo.bytes] })
  const pieces: Buffer[] = []
  for await (const piece of zipOf(files)) pieces.push(piece)
  return Buffer.concat(pieces)
}

const fileOf = ({ photo, extension }: ReadPhoto): string => `photos/${photo.id}.${extension}`

interface WholePage {
  readonly say: Say
  readonly map: string | undefined
  readonly photos: readonly ReadPhoto[]
}

function wholePage(document: InspectionDocument, { say, map, photos }: WholePage): string {
  const lacking = document.missing.map(({ what, count }) => html`<li>${say(`lacks.${what}`)}: ${count}</li>`)
  const shown = new Map(document.photos.map((photo) => [photo.id, photo]))
  const pictures = photos.map((photo) => {
    const { name, day } = shown.get(String(photo.photo.id)) ?? { name: '', day: '' }
    return html`<figure><img src="${fileOf(photo)}" alt="${name}"><figcaption>${day} ${name}</figcaption></figure>`
  })
  return pageOf(document, {
    title: say('inspection'),
    say,
    content: html`${lacking.length === 0 ? null : html`<ul>${lacking}</ul>`}
${document.registers.map((register) => html`<section><h2>${say(register.report)}</h2>${tablesOf(register, say)}</section>`)}
${map === undefined ? null : html`<section><h2>${say('map')}</h2>${new Html(map)}</section>`}
${pictures}`,
  })
}

const registerPage = (register: RegisterDocument, say: Say): string =>
  pageOf(register, { title: say(register.report), say, content: tablesOf(register, say) })

function tablesOf({ columns, rows, missing, sums }: RegisterDocument, say: Say): Html {
  if (rows.length === 0) return html`<p>${say('nothing.register')}</p>`
  const lacking = missing.map(({ label, count }) => html`<li>${say('missing', { column: label })}: ${count}</li>`)
  const lines = rows.map(
    ({ cells }) => html`<tr>${columns.map(({ name }) => html`<td>${cells[name] ?? ''}</td>`)}</tr>`,
  )
  const totals = sums.map(
    ({ of, amount, size, rate }) =>
      html`<tr><th>${of}</th>${[amount, size, rate].map((one) => html`<td>${one}</td>`)}</tr>`,
  )
  return html`${lacking.length === 0 ? null : html`<ul>${lacking}</ul>`}
<table><thead><tr>${columns.map(({ label }) => html`<th>${label}</th>`)}</tr></thead><tbody>${lines}</tbody></table>
${totals.length === 0 ? null : html`<h3>${say('sums')}</h3><table><tbody>${totals}</tbody></table>`}`
}

const style =
  '@page{size:A4 landscape;margin:12mm}body{font:11px/1.4 sans-serif;color:#000}table{border-collapse:collapse;width:100%}th,td{border:1px solid #999;padding:2px 4px;text-align:start;vertical-align:top}thead{display:table-header-group}tr,figure,svg{break-inside:avoid}section{break-before:page}img,svg{max-width:100%;height:auto}'

interface PageContent {
  readonly title: string
  readonly say: Say
  readonly content: Html
}

type PaperDocument = Pick<InspectionDocument, 'head' | 'from' | 'to' | 'language'>

function pageOf({ head, from, to, language }: PaperDocument, { title, say, content }: PageContent): string {
  const direction = languages[language]?.rightToLeft ? 'rtl' : 'ltr'
  const lines = [
    ...head.address.split('\n'),
    head.holding_numbers === '' ? '' : `${say('holding')}: ${head.holding_numbers.split('\n').join(', ')}`,
    head.certifier === ''
      ? ''
      : `${say('certifier')}: ${[head.certifier, head.certifier_number].filter(Boolean).join(', ')}`,
  ].filter((line) => line.trim() !== '')
  return html`<!doctype html>
<html lang="${language}" dir="${direction}">
<meta charset="utf-8">
<title>${title}, ${head.farm}</title>
<style>${new Html(style)}</style>
<header><p><b>${head.farm}</b></p>${lines.map((line) => html`<p>${line}</p>`)}<h1>${title}</h1><p>${say('days', { from, to })}</p></header>
${content}
</html>
`.text
}
