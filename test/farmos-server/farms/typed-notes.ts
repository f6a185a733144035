import type { Farm } from '../data/farm.ts'
import { addLog } from './adding.ts'

const longAddress = `https://hill.example/${'a-long-path/'.repeat(8)}end?x=1&y=2`

/** What people typed as notes, and what of it can be known from what is read. */
export const typedNotes: readonly { readonly typed: string; readonly read: string; readonly text: string }[] = [
  { typed: 'One line', read: '<p>One line</p>\n', text: 'One line' },
  { typed: 'One\r\ntwo', read: '<p>One<br />\ntwo</p>\n', text: 'One\ntwo' },
  { typed: 'One\n\ntwo\n\n\nthree', read: '<p>One</p>\n<p>two</p>\n<p>three</p>\n', text: 'One\n\ntwo\n\nthree' },
  { typed: 'Salt & "pepper"', read: '<p>Salt &amp; "pepper"</p>\n', text: 'Salt & "pepper"' },
  { typed: '3 < 4', read: '<p>3 &lt; 4</p>\n', text: '3 < 4' },
  {
    typed: 'Typed &lt;b&gt;, not meant',
    read: '<p>Typed &lt;b&gt;, not meant</p>\n',
    text: 'Typed <b>, not meant',
  },
  {
    typed: 'See https://hill.example/a?b=1&c=2.',
    read: '<p>See <a href="https://hill.example/a?b=1&amp;c=2">https://hill.example/a?b=1&amp;c=2</a>.</p>\n',
    text: 'See https://hill.example/a?b=1&c=2.',
  },
  {
    typed: longAddress,
    read: `<p><a href="${longAddress.replace('&', '&amp;')}">${longAddress.slice(0, 69)}...</a></p>\n`,
    text: longAddress,
  },
  {
    typed: 'www.hill.example and hanna@hill.example',
    read: '<p><a href="http://www.hill.example">www.hill.example</a> and <a href="mailto:hanna@hill.example">hanna@hill.example</a></p>\n',
    text: 'www.hill.example and hanna@hill.example',
  },
  {
    typed: 'A <a href="https://hill.example/">link of hers</a>, <em>so</em> <strong>it</strong> stays',
    read: '<p>A <a href="https://hill.example/">link of hers</a>, <em>so</em> <strong>it</strong> stays</p>\n',
    text: 'A <a href="https://hill.example/">link of hers</a>, <em>so</em> <strong>it</strong> stays',
  },
  { typed: 'Some <b>x</b>\nline2', read: '<p>Some x<br />\nline2</p>\n', text: 'Some x\nline2' },
  {
    typed: 'Before\n\n<ul><li>one</li><li>two</li></ul>\n\nafter',
    read: '<p>Before</p>\n<ul><li>one</li><li>two</li></ul>\n<p>after</p>\n',
    text: 'Before\n\n<ul><li>one</li><li>two</li></ul>\n\nafter',
  },
  { typed: 'Größe – „gut“ 🥬', read: '<p>Größe – „gut“ 🥬</p>\n', text: 'Größe – „gut“ 🥬' },
  { typed: '', read: '', text: '' },
]

/** One log for each, in their order. */
export const withTypedNotes = (farm: Farm): number[] =>
  typedNotes.map(({ typed }, nth) =>
    addLog(farm, `Note ${nth}`, { bundle: 'farm_observation', values: { notes: typed } }),
  )
