package markdown

import "strings"

const (
	svgSpace   = "http://www.w3.org/2000/svg"
	xmlSpace   = "http://www.w3.org/XML/1998/namespace"
	xlinkSpace = "http://www.w3.org/1999/xlink"
)

func set(words string) map[string]bool {
	out := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		out[word] = true
	}
	return out
}

// svgElements are the elements that a drawing may have (SVG 2): shapes, text,
// groups, and what they are painted with. None of them runs or loads anything.
var svgElements = set(`svg g defs symbol use title desc
	path rect circle ellipse line polyline polygon
	text tspan textPath
	marker pattern mask clipPath linearGradient radialGradient stop`)

// svgAttributes are the attributes that a drawing may have: geometry, and the
// presentation attributes of SVG 2 that do not animate or load anything.
var svgAttributes = set(`id class role lang href viewBox preserveAspectRatio
	x y x1 y1 x2 y2 cx cy r rx ry d dx dy fx fy fr points width height transform transform-origin pathLength
	rotate textLength lengthAdjust startOffset method spacing side offset
	gradientUnits gradientTransform spreadMethod patternUnits patternTransform patternContentUnits
	markerWidth markerHeight markerUnits refX refY orient clipPathUnits maskUnits maskContentUnits
	color fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin
	stroke-dasharray stroke-dashoffset stroke-miterlimit opacity display visibility overflow vector-effect paint-order
	shape-rendering text-rendering stop-color stop-opacity clip-path clip-rule mask marker marker-start marker-mid marker-end
	font-family font-size font-style font-weight font-variant font-stretch letter-spacing word-spacing
	text-anchor text-decoration dominant-baseline alignment-baseline baseline-shift writing-mode direction`)
