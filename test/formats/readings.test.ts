import { describe, expect, it } from 'vitest'
import { DateEvidence, dayBy, momentIn, spelledDay } from '../../src/formats/csv/dates.ts'
import { amountIn, DecimalEvidence, numberBy } from '../../src/formats/csv/decimals.ts'
import { leastProcessorTime } from '../harness/processor-time.ts'

it.each([
  ['12', '12', '12'],
  ['-12.5', '-12.5', undefined],
  ['12,5', undefined, '12.5'],
  ['1.234', '1.234', '1234'],
  ['1,234', '1234', '1.234'],
  ['0,125', undefined, '0.125'],
  ['1.234,5', undefined, '1234.5'],
  ['1,234.5', '1234.5', undefined],
  ['1.234.567', undefined, '1234567'],
  ['1234,567', undefined, '1234.567'],
  ['1 234,5', undefined, '1234.5'],
  ["1'234.50", '1234.50', undefined],
  [',5', undefined, '.5'],
  ['1e5', undefined, undefined],
  ['12 kg', undefined, undefined],
])('the number %j is %j by a point and %j by a comma', (text, point, comma) => {
  expect([numberBy('.', text), numberBy(',', text)]).toEqual([point, comma])
})

it.each([
  ['12,5 kg', '12,5', 'kg'],
  ['12kg', '12', 'kg'],
  ['-3.5 °C', '-3.5', '°C'],
  ['1 234 m²', '1 234', 'm²'],
  ['50 %', '50', '%'],
])('%j is the amount %j of %j', (text, number, unit) => {
  expect(amountIn(text)).toEqual({ number, unit })
})

it.each(['12,5', 'kg', '', 'about 5 kg'])('%j is no amount with a unit', (text) => {
  expect(amountIn(text)).toBeUndefined()
})

it('white space without end between two words is soon known to be no amount', async () => {
  const work = () => expect(amountIn(`1 a${' '.repeat(1_000_000)}2`)).toBeUndefined()
  expect(await leastProcessorTime(work, { enough: 1_000 })).toBeLessThan(1_000)
})

function signOf(texts: readonly string[], before?: string) {
  const evidence = new DecimalEvidence()
  for (const [index, text] of texts.entries()) evidence.add(index + 2, text, before)
  return evidence.sign()
}

describe('the decimal sign of a column', () => {
  it.each([
    [['1.234', '0.5'], '.'],
    [['1.234', '0,5'], ','],
    [['1', '2'], '.'],
    [['1,234', '1,234,567'], '.'],
  ])('of %j is %j', (texts, sign) => expect(signOf(texts)).toEqual({ sign }))

  it('is in doubt where each number may be two, unless a record says one of them already', () => {
    expect(signOf(['5', '1.234'])).toMatchObject({
      ...{ row: 3, text: '1.234', fault: expect.stringContaining('may be 1.234 or 1234') },
      allowed: ['decimal=.', 'decimal=,'],
    })
    expect(signOf(['1.234'], '1.234')).toEqual({ sign: '.' })
    expect(signOf(['1,5', '1.5'])).toMatchObject({ row: 2, fault: expect.stringContaining('in row 3') })
  })
})

function orderOf(texts: readonly string[]) {
  const evidence = new DateEvidence()
  for (const [index, text] of texts.entries()) evidence.add(index + 2, text)
  return evidence.order()
}

it.each([
  [['03/04/2024', '25/12/2024'], { order: 'dmy' }],
  [['03/04/2024', '12/25/2024'], { order: 'mdy' }],
  [['3.4.2024'], { order: 'dmy' }],
  [['03/03/2024', '04/04/2024'], { order: 'dmy' }],
  [['25/12/2024', '12/25/2024'], { row: 3, text: '12/25/2024', fault: expect.stringContaining('another order') }],
  [
    ['03/04/2024'],
    {
      ...{ row: 2, text: '03/04/2024', fault: expect.stringContaining('dates=dmy or dates=mdy') },
      allowed: ['dates=dmy', 'dates=mdy'],
    },
  ],
  [
    ['03-04-05'],
    {
      ...{ row: 2, text: '03-04-05', fault: expect.stringContaining('dates=ymd') },
      allowed: ['dates=dmy', 'dates=mdy', 'dates=ymd'],
    },
  ],
])('the order of %j', (texts, found) => {
  expect(orderOf(texts)).toEqual(found)
})

it('a day that does not exist is none', () => {
  const spelled = (order: 'dmy' | 'mdy', text: string) => {
    const day = dayBy(order, text)
    return day === undefined ? undefined : spelledDay(day)
  }
  expect(spelled('dmy', '29/02/2024')).toBe('2024-02-29')
  expect(spelled('dmy', '29/02/2023')).toBeUndefined()
  expect(spelled('mdy', '12/31/99')).toBe('1999-12-31')
})

it.each([
  ['2024-03-31T02:30', 'does not exist'],
  ['2024-10-27T02:30', '2024-10-27T00:30:00Z'],
  ['2024-03-30', '2024-03-30T11:00:00Z'],
  ['2024-01-01T08:00:00+0530', '2024-01-01T02:30:00Z'],
  ['2024-01-01 12:30 am', '2023-12-31T23:30:00Z'],
  ['2024-01-01T24:00', 'no time of a day'],
  ['45355', 'a day of a spreadsheet'],
  ['1600000000', '2020-09-13T12:26:40Z'],
])('%j by the clocks of Berlin is %s', (text, told) => {
  const found = momentIn(text, { order: 'ymd', zone: 'Europe/Berlin' })
  if ('fault' in found) expect(found.fault).toContain(told)
  else expect(new Date(found.second * 1000).toISOString().replace('.000', '')).toBe(told)
})
