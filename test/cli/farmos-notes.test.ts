import { describe, expect, it } from 'vitest'
import { writtenText } from '../../programs/move-in/written-text.ts'
import { typedNotes } from '../farmos-server/farms/typed-notes.ts'

describe('notes that a farmOS has rendered', () => {
  it.each(typedNotes)('are turned back into what was written: $text', ({ read, text }) => {
    expect(writtenText(read)).toBe(text)
  })
})
