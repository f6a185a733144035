import type { PageWords } from '../../words/page-words.ts'
import { type Html, html } from '../http/html.ts'

/** For whoever would rather see a farm at work first: nothing is sent and nothing is kept here. */
export const demoLink = ({ say }: PageWords): Html => html`
<p><a href="/app/?demo=1">${say('demo.open')}</a></p>
<p class="soft">${say('demo.about')}</p>`
