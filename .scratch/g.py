import os,re,sys,collections
root='packages/core/src'
files={}
for d,_,fs in os.walk(root):
  for f in fs:
    if f.endswith('.ts') and not f.endswith('.test.ts'):
      p=os.path.join(d,f); files[os.path.relpath(p,root)]=open(p).read()
imp=collections.defaultdict(set)
for p,t in files.items():
  for m in re.finditer(r"""(?:from|import)\s*\(?['"](\.{1,2}/[^'"]+)['"]""",t):
    q=os.path.normpath(os.path.join(os.path.dirname(p),m.group(1))).replace('.js','.ts')
    imp[p].add(q)
users=collections.defaultdict(set)
for p,s in imp.items():
  for q in s: users[q].add(p)
rooms=sys.argv[1:]
for p in sorted(files):
  if any(p.startswith(r+'/') for r in rooms):
    if p.startswith('base/patterns') or p.startswith('base/schema/'): continue
    n=files[p].count('\n')
    u=sorted(users[p])
    print(f"{n:4} {p}: {len(u)} <- {', '.join(u[:9])}{' ...' if len(u)>9 else ''}")
