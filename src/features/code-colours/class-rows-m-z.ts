/**
 * Made by scripts/derive-code-classes.ts: `@Language`, `.type` of Prism, then a form and Pygments' class for each row.
 */
export const CLASS_ROWS_M_Z = String.raw`
@Makefile
.builtin-target.builtin any nf .comment any c .function any nv .keyword any cp .none CAPITALS nv any - integer cp
.operator any o sign@ - .punctuation any k sign: o sign; p .string any s2 .target.symbol any nf .variable any k
signdollar< - signdollar@ nv signdollar^ - signdollardollar nv word -
@Markdown
.blockquote.punctuation any k .code-language any sb .code-snippet.code.keyword any sb .code.keyword any - .content
any nt .hr.punctuation any - .keyword any nb .list.punctuation any k .none any - sign# ni sign[ k sign] k word@ ni
.operator any - .punctuation any - sign# gh sign## gu sign( p sign) p sign* ge sign** gs signs gh signtickticktick sb
sign~~ gd word gs .string any na .table-data any - .table-header.important any - .tag any - .title.important any gh
word gu .url any - quoted na .url-reference.url any na .variable any nl
@Matlab
.comment any cm quoted% c .function Capital n any nb .keyword any nb .none any n sign" s .number any mi float s
word nb .operator any p sign' o sign* o sign+ o sign. o sign== o sign^ o sign|| o sign~ o .punctuation any p sign] s
.string any s
@MySQL
.comment any c1 quoted/* cm .function any nf .identifier any n+n-Quoted .keyword Capital n any k .none CAPITALS nf
any n sign: o .number any mi float mf hex mh .operator CAPITALS k any o .punctuation any p signtick n+n-Quoted .string
any s1 escape se quoted" s2 .variable any nv
@NASM
.comment any c1 .keyword any nv .label.function any nl .none CAPITALS cp any nf sign, p sign. nv .number any mi hex mh
.operator any p sign% cp sign* o sign+ o sign- o signdollar kc .register.variable any nb .string any s
@Nginx configuration file
.comment any c1 .directive any s float n integer mi sign: p sign= p sign^/ sr signdollar sr sign~ p .escape.entity
any s .keyword any kn .number any mi .punctuation any p .string any s .variable any nv
@Nimrod
.char any sc .comment any c quoted## sd quoted#[ cm .function any n .keyword any kn .none any n .number any mi
float mf hex mh sign' sc word sc .operator any p sign* o sign/ o sign< o sign= o sign== o signdollar o .punctuation
any p sign. sx sign[ o sign] o sign{ sx sign} sx .string any s escape se quoted""" s2
@Nix
.antiquotation.important any si .comment any c1 quoted/* cm .interpolation any - .none any - sign* o .number any mi
.operator any o sign- - sign< l sign> l sign@ p .punctuation any p sign. o .string any s2 escape se
quoted'' s+s-Multiline .url any l
@OCaml
.char any sc .comment any c .label.property any o word n .none CAPITALS nc Capital nc any n .number any mi hex mh
.operator any o .operator-like-punctuation.punctuation any o .punctuation any o sign. p .string any s2 escape se
.type-variable.function any k word n .variant.symbol Capital nc any o
@Objective-C
.comment any c1 quoted/* cm .directive-hash any cp .directive.keyword any cp .expression any cp .function any n
.keyword any k word kt .macro-name any cp .none CAPITALS kt Capital bp any n .number any mi float mf hex mh .operator
any o sign+ p sign- p sign/ cp sign@ k .punctuation any p sign. cp sign: nf .string any s escape se
@PHP
.attr-name =k x .attr-value any x .class-name any nx .class-name-definition.class-name any nc .comment any c1
quoted/** sd .constant any no .delimiter.important any o sign<?= cp sign?> cp word nx .delimiter.symbol any dl
.function any nb .function-definition.function any nf .keyword any k .keyword.return-type any nx
.keyword.static-context any nx .keyword.type-casting any nx .keyword.type-hint any nx .number any mi float mf hex mh
.operator any o .package any nx .php.language-php any nx .property any na .punctuation any p sign" x sign: o sign< x
sign</ x sign<<< s sign> x sign\ nx .punctuation.attr-equals any x .string.double-quoted-string any s2 escape se
.string.heredoc-string any s .string.single-quoted-string any s1 .tag any x .variable any nv
@Perl
.comment any ch quoted# c1 quoted= cm .function any nf .keyword any nb .none =k dl Capital nn any nb .number any mi
float mf hex mh .operator any o sign< sr sign<< s sign<=> sr sign? p word n .punctuation any p sign: nn .regex any sr
.string any s quoted sx .variable any nv signdollar/ vg
@PostgreSQL SQL dialect
.boolean any k .comment any c1 .function any n .keyword any k word nb .none CAPITALS k Capital sa any n sign: o
sign@ o signdollar nv signdollardollar s .number any mf .operator CAPITALS k any o .punctuation any p sign. mf .string
any s1 quoted" s+s-Name
@PostgreSQL console (psql)
.comment any gp escape kp quoted--- go .keyword any go .none CAPITALS gs Capital go any gp sign: gs .number any go
.operator any gp sign* gr sign^ gr sign| go word gr .punctuation any go sign; gr .string any go
@PowerShell
.boolean any nv .comment any c quoted<# cm .function any nb signdollar p .keyword any n .namespace any no sign( p
sign) p sign= p worddollar nv .none CAPITALS nv any n sign: p sign= p sign@ p .operator any o sign* p sign+= p sign- n
.punctuation any p .string any s2 quoted' s1 quoted'*. s1 quotedtick se .variable any nv
@Prolog
.comment any c1 quoted/* cm .function any nf integer mf sign/ o .none any nv sign' sc word s+s-Atom .number any mi
float mf .operator any p sign* o sign+ o sign--> o sign-> s+s-Atom sign= o sign> o sign>= o sign>> s+s-Atom
sign?- s+s-Atom sign\= s+s-Atom word o .punctuation any p .string any s2 quoted' s+s-Atom
@Properties
.comment any c1 .key.attr-name any na sign\ se .punctuation any o .value.attr-value any s sign\ se
@Protocol Buffer
.class-name any n .comment any c1 quoted/* cm .function any n .keyword any n .map.class-name any n .none any na
.number any mi float mf hex mh .operator any o .positional-class-name.class-name any n .punctuation any p sign. o
sign: o .string any s
@Python Traceback
.none any gt
@Python console session
.boolean any kc .builtin any nb .comment any c1 .function any nf .interpolation any n .keyword any k .none Capital gt
any n .number any mi .operator any gp sign* o sign/ o sign< n sign= o .punctuation any p sign. gp sign{ si sign} si
.string any s1 quoted!" s2 quoted" s2 quoted"< nb quotedf sa
@Ruby
.builtin any nb .class-name any nn .comment any c1 quoted#!/ ch quoted= cm .constant any dl .content any n
.delimiter.punctuation any si .function any nf .keyword any nb .none Capital no any n sign\ sr signdollar sr .number
any mi float o hex mh sign. o .operator any o sign! nf sign+ sr sign/ sr sign: p sign? n sign^ sr .punctuation any p
sign. o .string any s2 escape se quoted% sx quoted' s1 .symbol any ss .variable any vi sign@@ vc word vc worddollar vg
@Rust
.attribute.attr-name any cp .char any sc .class-name any n .closure-params any n .closure-punctuation.punctuation
any o .comment any sd quoted/* cm .constant any n .function any n .function-definition.function any nf .keyword any nc
.lifetime-annotation.symbol any o word na .macro.property any fm .module-declaration.namespace any nn .namespace any n
.none any n .number any mi float mf hex mh .operator any o sign& kp .punctuation any p sign= o .string any s escape se
.type-definition.class-name any nc
@S
.comment any c1 .ellipsis any kc .keyword any nf .none Capital nf any n sign. nf .number any m hex mh .operator any o
.percent-operator.operator any o .punctuation any p .string any s
@SCSS
.atrule any n .comment any c1 quoted/* cm .function any nt .keyword any k word ow .module-modifier.keyword any nt
.none any nt sign# nn sign% err sign. nc .operator any o word ow .parent.important any k .placeholder any err
.property any nt sign- no .punctuation any p sign( o sign) o sign, o sign: nd sign; o .rule any k .selector any nt
integer mi sign" s2 sign+ o sign, o sign- nc sign. nc sign: nd sign=" o sign== o sign[ o sign] o .statement.keyword
any o word nt .string any s2 .variable any err sign# si sign{ si sign} si
@SQL
.boolean any k .comment any c1 quoted/* cm .function any k .keyword any k word n .none any n .number any mi .operator
CAPITALS k any o .punctuation any p .string any s1 quoted" ss
@Scala
.annotation.punctuation any nd .builtin any nc .char any sc .comment any cm quoted// c1 .expression any n .id.function
any s .keyword any o .namespace any nn .none Capital nc any n .number any mi float mf hex mh .operator any o sign: p
.punctuation any p signdollar si .string any s .triple-quoted-string.string any s
@Scheme
.boolean any no .builtin any nb .char any sc .comment any c1 .function any nf .keyword any k .lambda-parameter any nf
sign. o .none any nv sign# o sign#! o sign, o signtick o .number any mi float mf sign# mh word mh .operator any nb
.punctuation any p sign' o .string any s escape se .symbol any ss
@Solidity
.builtin any kt .class-name any nv .comment any c1 quoted/* cm .function any - .keyword any - .none =kt k any -
.number any m+m-Decimal float err hex mh .operator any o .punctuation any p sign. k .string any s1 quoted" s2
quoted"./ s2 .version.number any k
@Swift
.attribute.atrule any kr .class-name any nb .comment any c1 quoted/* cm .function any n .function-definition.function
any nf .interpolation any n .interpolation-punctuation.punctuation any si .keyword any cp .none any n .number any mi
float mf hex mh .omit.keyword any kc .operator any p sign! o sign% o sign&& o sign* o sign. mf sign> o sign>= o
.other-directive.property any cp .punctuation any p .short-argument any nv .string any s escape se
@TOML
.comment any c1 .date.number any ld .key.property any n sign" s2 sign. s2 .number any mi float mf hex mh .punctuation
any p sign= o sign[ k sign] k .string any s2 escape se quoted' s1 .table.class-name any k
@TSX
.attr-name any na .attr-value any s .builtin any kt .class-name any nx .comment any cm quoted// c1 .constant
Capital nt any kt .function any nx .function-variable.function any nx .generic.class-name any nt .interpolation any nx
.interpolation-punctuation.punctuation any si .keyword any k .none any nx .number any mf .operator any o sign< p
sign=> p sign> p sign? nx sign| err .parameter any nx .plain-text any p word nt .punctuation any p sign" s
.punctuation.attr-equals any o .script-punctuation.punctuation any o .script.language-javascript any nx .string any s2
quoted sb .tag any nt .template-punctuation.string any sb
@Tcl
.comment any c .function any - .none Capital - any nv float mf integer mi sign; k sign\ err word - .operator any o
.punctuation any k .string any s2 .variable any nv
@Terraform
.comment any c1 quoted/* cm .heredoc.string any o .keyword any kr .none any nv sign! p sign( p sign) p sign, p sign: p
sign? p .number any m .property any na .punctuation any p sign. s2 sign= o signdollar s2 .string any s2 .type.variable
any nv
@Text only
.none any -
@TypeScript
.at.operator any kd .builtin any nx .class-name any nx .comment any cm quoted// c1 .constant any nx .function any nx
.interpolation-punctuation.punctuation any si .keyword any nx .none =nb kt any nx .number any mf .operator any o
sign=> p sign? nx .punctuation any p .string any s1 quoted sb quoted" s2 .template-punctuation.string any sb
@VB.net
.comment any c .function any nn .keyword CAPITALS c any k .none any n sign. p .number any mi float mf .operator any o
.punctuation any p .string any s
@VimL
.builtin any nb .comment any c .function any - .keyword any k .none any - sign| p .number any m .operator any p
sign&& - sign. - sign/ sr .punctuation any p sign: - sign[ - sign] - .string any s1 quoted" s2
@XML
.attr-name any na .attr-value any s .cdata any cp .comment any cm .doctype-tag any cp .entity any ni
.entity.named-entity any ni .name any cp .namespace any nt .none any - .prolog any cp .punctuation any nt sign" s
sign' s sign<! cp .punctuation.attr-equals any na .string any cp .tag any nt
@YAML
.boolean.important any l+l-Scalar+l-Scalar-Plain .comment any c1 .important any nv word& nl .key.atrule any nt .none
any l+l-Scalar+l-Scalar-Plain .null.important any l+l-Scalar+l-Scalar-Plain .number any l+l-Scalar+l-Scalar-Plain
integer nv .punctuation any p sign, p+p-Indicator sign- p+p-Indicator sign--- nn sign. nn sign> p+p-Indicator
sign[ p+p-Indicator sign] p+p-Indicator sign{ l+l-Scalar+l-Scalar-Plain sign| p+p-Indicator
sign} l+l-Scalar+l-Scalar-Plain .scalar.string any no .string any s .tag any kt
@Zig
.builtin any nb .char any s .class-name any n .comment any c1 .comment.doc-comment any c1 .function any n .none any n
sign\\ sh .number any mi float mf hex mh .operator any o .punctuation any p sign: o .string any s escape se
@verilog
.comment any c1 quoted/* cm .constant any no .function any n .important any k sign@ p .kernel-function.property any nb
.keyword any k .none any n sign# p .number any mh sign# p sign' mb word mb .operator any o sign{ p sign} p
.punctuation any p sign: o .string any s escape se
@vhdl
.comment any c1 .function any n .keyword any k .none any n .number any mi .operator any o word k .punctuation any p
sign. nn sign: o .string any s .vhdl-vectors.number any mh
`;
