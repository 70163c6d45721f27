// Words and shapes that nothing in this project uses, each with what to write instead. See CONTRIBUTING, "Words".
// A line that needs one anyway says so with a comment `words-ok: reason`, on the line itself or on the line before.

/** In prose: visible texts, messages, comments, test names, documents. */
export const PROSE = [
  [/\b(who|whoever|whom|whose)\b/i, 'a noun: "you", "the caller", "anyone with the link"'],
  [/\b(somebody|someone|nobody|everybody)\b/i, '"you", or the name of the role'],
  [
    /\bwhat (answers|computes|copies|draws|encodes|exports|hides|opens|prepares|reads|saves|shows|writes)\b/i,
    'a noun: "the compute engine", "the export dialog"',
  ],
  [/\bwhat is to be\b|\bwhat stands\b|\bthere is nothing that\b/i, 'a noun'],
  [/\bfl(y|ies) (home|back)\b|\b(bring|brings|brought) home\b/i, '"col2im adds back"'],
  [/\bhears?\b/i, '"the gradient of", "receives"'],
  [/\blet(s|ting)? (it |them |the cell )?go\b/i, '"unpin"'],
  [/\bfor ?ever\b|\bby and by\b/i, 'the time or the condition'],
  [/\b(w|kernel|weights|filter) (is |are )?(not )?turned\b|\bturned (w|kernel|weights|filters?)\b/i, '"flipped"'],
  [/\b(is|are|was|were) not told\b|\buntold\b/i, '"hidden"'],
  [
    /\b(could|can) not be fetched\b|\bbeing fetched\b|\barrived damaged\b|\bon its way\b/i,
    '"failed to load", "loading"',
  ],
  [/\busual mistakes?\b/i, '"common mistake"'],
  [/\b(learnt|whilst|amongst)\b/i, '"learned", "while", "among"'],
  [/\briddle|\baphoris/i, 'nothing: it speaks of itself'],
];

/** In names and code, with case: a second name of something that has one. */
export const NAMES = [
  [/\bLedger\b|\bneediest\b/, 'ScratchLayout, larger_of'],
  [/\bhanded_out\b|\bhandedOut\b/, 'fork_join'],
  [/\brefused_wish\b|\bwish\b/, 'unavailable_isa, requested_isa'],
  [/\bportions?\b/, 'chunk'],
  [/\b[dw]+_turned\b|\bdy_spread_|\bw_exchanged_/, 'w_flipped, dy_upsampled, w_io_swapped'],
  [/\bpower_round\b|\bdescend\(/, 'power_iteration_step, sgd_step'],
  [
    /\bHands\b|\bManner\b|\bKeeper\b|\bpatiently\b|\bfoothold\b/i,
    'CommandContext, Options, Persister, lazy, restoreFocus',
  ],
  [/\bSTIRRINGS\b|\bUNTOLD\b/, 'USER_GESTURES, HIDDEN_VALUES'],
  [/\b(contenders?|shelf|shelves)\b/i, 'entrant, bug set'],
];
