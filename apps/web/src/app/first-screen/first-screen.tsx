import { product } from '@parley/contract/product'
import {
  ArrowUp,
  Bug,
  GraduationCap,
  Lock,
  type LucideIcon,
  Map as MapIcon,
  ScrollText,
  Sparkles,
  SquarePen,
} from 'lucide-react'
import composer from '../../features/chat/composer.module.css'
import home from '../../features/chat/new-chat-home.module.css'
import { LogoMark } from '../../ui/logo'
import shell from '../shell/shell.module.css'
import sidebar from '../shell/sidebar.module.css'
import topBar from '../shell/top-bar.module.css'
import type { FirstText } from './first-texts'

const cards: [LucideIcon, FirstText, FirstText][] = [
  [ScrollText, 'chat.suggestContract', 'chat.suggestContractHint'],
  [Bug, 'chat.suggestError', 'chat.suggestErrorHint'],
  [MapIcon, 'chat.suggestTrip', 'chat.suggestTripHint'],
  [GraduationCap, 'chat.suggestQuiz', 'chat.suggestQuizHint'],
]

type Props = { texts?: Record<FirstText, string> }

/**
 * What stands in the page before the app has been loaded: the sidebar, and for a new chat the headline and a box to
 * type in, each where the app draws it. Without its texts `public/first-screen.js` fills them in and shows it; the
 * app's first render takes its place. Drawn when the app is built.
 */
export function FirstScreen({ texts }: Props) {
  const isHidden = texts === undefined
  // Left out of the first paint of a first visit, a tenth of which it would cost; first-visit/after-paint.js shows it.
  const awaited = isHidden ? undefined : ''
  const said = (name: FirstText) => ({ 'data-text': name, children: texts?.[name] })
  return (
    <div className={shell.app} data-first-screen="" hidden={isHidden}>
      <div className={shell.sidebar} inert>
        <div className={sidebar.sidebar} data-first-sidebar="">
          <div className={sidebar.head}>
            <span className={sidebar.logo}>
              <LogoMark />
              <span data-full="">{product.name}</span>
            </span>
          </div>
          <div className={sidebar.actions}>
            <Action icon={SquarePen} text={said('shell.newChat')} />
            <Action icon={Sparkles} text={said('shell.agents')} />
          </div>
        </div>
      </div>
      <main className={shell.main}>
        <header className={topBar.bar} />
        <div className={shell.screen}>
          <div className={home.home} data-first-home="" hidden={isHidden}>
            <div className={home.column}>
              <h1 {...said('chat.homeTitle')} />
              <div className={composer.composer} data-home="local">
                <div className={composer.box} data-awaited={awaited}>
                  <textarea
                    data-first-text=""
                    autoComplete="off"
                    rows={1}
                    className={composer.text}
                    data-label="chat.message"
                    data-placeholder="chat.placeholder"
                    aria-label={texts?.['chat.message']}
                    placeholder={texts?.['chat.placeholder']}
                  />
                  <div className={composer.tools} inert>
                    <span className={composer.space} />
                    <button type="button" className={composer.send} disabled>
                      <ArrowUp aria-hidden="true" />
                    </button>
                  </div>
                </div>
                <p className={composer.fine}>
                  <Lock aria-hidden="true" />
                  <span {...said('chat.localPromise')} />
                </p>
              </div>
              <ul className={home.cards} data-awaited={awaited} inert>
                {cards.map(([Icon, name, hint]) => (
                  <li key={name}>
                    <button type="button" className={home.card}>
                      <Icon aria-hidden="true" />
                      <b {...said(name)} />
                      <span {...said(hint)} />
                    </button>
                  </li>
                ))}
              </ul>
            </div>
          </div>
        </div>
      </main>
    </div>
  )
}

type Said = { 'data-text': FirstText; children: string | undefined }

function Action({ icon: Icon, text }: { icon: LucideIcon; text: Said }) {
  return (
    <button type="button" className={sidebar.action}>
      <Icon aria-hidden="true" />
      <span className={sidebar.grow} data-full="" {...text} />
    </button>
  )
}
