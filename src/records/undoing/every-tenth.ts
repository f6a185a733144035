import { setImmediate as nextTurn } from 'node:timers/promises'

/** One after the other. Others want to be answered, too; the transaction can wait a moment after every tenth. */
export async function everyTenth<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (const [index, item] of items.entries()) {
    if (index % 10 === 9) await nextTurn()
    await work(item)
  }
}
