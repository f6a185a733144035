import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { FairQueue } from '../../src/doors/http/admission.ts'
import { limits } from '../../src/limits.ts'

describe('requests that wait for their turn', () => {
  it('are answered in the order of their arrival', async () => {
    const turns = new FairQueue(() => 0)
    const answered: number[] = []
    for (const n of [1, 2, 3]) turns.take(() => answered.push(n))
    expect(answered).toEqual([])
    await nextTurn()
    expect(answered).toEqual([1, 2, 3])
  })

  it('go on in the next turn once this one has become long', async () => {
    let now = 0
    const turns = new FairQueue(() => now)
    const answered: number[] = []
    for (const n of [1, 2, 3, 4]) {
      turns.take(() => {
        answered.push(n)
        now += limits.turnMs / 2
      })
    }
    await nextTurn()
    expect(answered).toEqual([1, 2])
    await nextTurn()
    expect(answered).toEqual([1, 2, 3, 4])
  })

  it('wait while new connections are let in, but not for ever', async () => {
    const turns = new FairQueue(() => 0)
    let answered = 0
    turns.take(() => {
      answered += 1
    })
    for (let turn = 0; turn < 10; turn++) {
      turns.noteConnection()
      await nextTurn()
    }
    expect(answered).toBe(0)
    for (let turn = 0; turn < 20; turn++) {
      turns.noteConnection()
      await nextTurn()
    }
    expect(answered).toBe(1)
  })

  it('go on as soon as nobody comes any more', async () => {
    const turns = new FairQueue(() => 0)
    let answered = 0
    turns.noteConnection()
    turns.take(() => {
      answered += 1
    })
    await nextTurn()
    expect(answered).toBe(0)
    await nextTurn()
    expect(answered).toBe(1)
  })
})
