import type { ValueTest } from '../../../../storage/records/condition.ts'

/** Whether a value passes, as it does in storage (storage/records/value-test-sql.ts). */
export function isPassedBy(value: string | number, test: ValueTest): boolean {
  switch (test.is) {
    case 'any of':
      return test.values.includes(value)
    case 'none of':
      return !test.values.includes(value)
    case 'above':
      return value > test.value
    case 'from':
      return value >= test.value
    case 'below':
      return value < test.value
    case 'to':
      return value <= test.value
    case 'containing':
      return String(value).includes(test.text)
    case 'beginning with':
      return String(value).startsWith(test.text)
    case 'ending with':
      return String(value).endsWith(test.text)
    case 'all':
      return test.tests.every((one) => isPassedBy(value, one))
    case 'either':
      return test.tests.some((one) => isPassedBy(value, one))
  }
}
