set -euo pipefail
cd /work/w/boot
C=packages/core/src
sed -i 's/^const kinds = {/export const kinds = {/' $C/boot/kinds/kinds.ts
rm -f $C/base/options/option-rules.ts
python3 - <<'P'
p='packages/core/src/options.ts'; t=open(p).read()
a="export { optionRules } from './base/options/option-rules.js';"
assert a in t
t=t.replace(a,"/** The rules that options are described with, for the schemas of other packages' options. */\nexport * as optionRules from './base/options/rules.js';")
open(p,'w').write(t)
p='docs/architecture.md'; t=open(p).read()
t=t.replace('core/src/base/revision.ts','core/src/base/request-context.ts'); open(p,'w').write(t)
p='docs/upgrading.md'; t=open(p).read()
row="| the type `OptionFault` of `@toolwright/core/options`"
if row not in t:
    a="| the eras `modern` and `legacy` of transports"
    assert a in t
    t=t.replace(a, row+" | `OptionProblem` |\n"+a,1); open(p,'w').write(t)
P
node_modules/.bin/prettier --write --log-level warn docs/upgrading.md docs/architecture.md $C/options.ts
